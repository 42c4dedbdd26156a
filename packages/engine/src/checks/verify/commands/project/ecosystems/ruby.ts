import { findFirst, nothingDetected, tool, type Detection, type ProjectFiles } from '../detected.ts'

/** RSpec, Rake and RuboCop, through Bundler where there is a Gemfile. */
export async function detectRuby(files: ProjectFiles): Promise<Detection> {
  const gemfile = await files.text('Gemfile')
  const rspec = await findFirst(files, ['.rspec', 'spec/spec_helper.rb'])
  const hasRakeTests = (await files.has('Rakefile')) && (await files.has('test'))
  if (gemfile === undefined && rspec === undefined && !hasRakeTests) return nothingDetected
  const run = gemfile === undefined ? '' : 'bundle exec '
  const isNamed = (gem: string) => gemfile !== undefined && new RegExp(`gem\\s+["']${gem}`).test(gemfile)
  const rubocop = await findFirst(files, ['.rubocop.yml'])
  return {
    candidates: [
      ...(rspec !== undefined || isNamed('rspec')
        ? [tool('tests', `${run}rspec`, rspec === undefined ? 'Gemfile names rspec' : `there is ${rspec}`)]
        : []),
      ...(hasRakeTests ? [tool('tests', `${run}rake test`, 'there are a Rakefile and a folder test')] : []),
      ...(rubocop !== undefined || isNamed('rubocop')
        ? [
            tool(
              'lint',
              `${run}rubocop`,
              rubocop === undefined ? 'Gemfile names rubocop' : `there is ${rubocop}`,
            ),
          ]
        : []),
    ],
    problems: [],
  }
}
