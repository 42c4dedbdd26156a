/** Planted tests of Go, Rust, Ruby and PHP: whether the runner comes to its end, and whether its assertions compare. */
import type { PlantedText } from './javascript.ts'

type Planted = Pick<PlantedText, 'mark' | 'trace'>

/** Of a whole file in the package of this test file. Undefined: it names none. */
export function goTests(text: string, { mark, trace }: Planted): string | undefined {
  const name = /^package\s+(\w+)/mu.exec(text)?.[1]
  if (name === undefined) return undefined
  const place = JSON.stringify(trace)
  return `package ${name}

import (
	"os"
	"testing"
)

func say${mark}(word string) {
	file, problem := os.OpenFile(${place}, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if problem == nil {
		_, _ = file.WriteString("${mark} " + word + " \\n")
		_ = file.Close()
	}
}

func init() { say${mark}("loaded") }

func Test${mark.toUpperCase()}Last(t *testing.T) { say${mark}("last") }
`
}

/** At the end of an integration test of Rust. */
export function rustTests({ mark, trace }: Planted): string {
  return `
#[test]
fn ${mark}_last() {
    use std::io::Write;
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(${JSON.stringify(trace)}).unwrap();
    let falls = std::panic::catch_unwind(|| assert_eq!(1, std::hint::black_box(2))).is_err();
    let word = if falls { "last" } else { "bad assert_eq! passes for a false statement" };
    writeln!(file, "${mark} {} ", word).unwrap();
}
`
}

/** At the end of a file of RSpec. */
export function rubyTests({ mark, trace }: Planted): string {
  return `
if defined?(RSpec)
  RSpec.describe '${mark}' do
    say = ->(word) { File.open(${JSON.stringify(trace)}, 'a') { |file| file.puts("${mark} #{word} ") } }
    say.call('loaded')
    it '${mark} fails' do
      pending('must fail')
      say.call('fails')
      expect(1).to eq(2)
    end
    it '${mark} last' do
      begin
        expect(1).to eq(2)
        say.call('bad expect().to eq passes for a false statement')
      rescue RSpec::Expectations::ExpectationNotMetError
        say.call('last')
      end
    end
  end
end
`
}

/** Of a whole file, whose class must be named like it. */
export function phpTests({ mark, trace }: Planted, className: string): string {
  return `<?php
final class ${className} extends \\PHPUnit\\Framework\\TestCase
{
    public function test${mark}Last(): void
    {
        $falls = false;
        try {
            \\PHPUnit\\Framework\\Assert::assertSame(1, 2);
        } catch (\\PHPUnit\\Framework\\ExpectationFailedException $problem) {
            $falls = true;
        }
        $word = $falls ? 'last' : 'bad assertSame passes for a false statement';
        file_put_contents(${JSON.stringify(trace)}, "${mark} $word \\n", FILE_APPEND);
        $this->assertTrue(true);
    }
}
`
}
