import { firstOf, nothingDetected, tool, type Detection, type ProjectFiles } from '../detected.ts'

/** Maven and Gradle, through the project's wrapper where there is one. */
export async function detectJvm(files: ProjectFiles): Promise<Detection> {
  const [maven, gradle] = [await detectMaven(files), await detectGradle(files)]
  return { candidates: [...maven.candidates, ...gradle.candidates], problems: [] }
}

async function detectMaven(files: ProjectFiles): Promise<Detection> {
  const manifest = await files.text('pom.xml')
  if (manifest === undefined) return nothingDetected
  const hasWrapper = await files.has('mvnw')
  const program = hasWrapper ? './mvnw' : 'mvn'
  const why = hasWrapper ? 'pom.xml, with its wrapper mvnw' : 'pom.xml makes it a Maven project'
  const linter = /<artifactId>\s*(?:maven-)?(checkstyle|spotless|pmd)(?:-maven)?-plugin\s*</.exec(
    manifest,
  )?.[1]
  return {
    candidates: [
      tool('tests', `${program} -B test`, why),
      ...(linter === undefined
        ? []
        : [tool('lint', `${program} -B -q ${linter}:check`, `pom.xml names the plugin for ${linter}`)]),
      tool('typecheck', `${program} -B -q test-compile`, why),
      tool('build', `${program} -B -q package -DskipTests`, why),
    ],
    problems: [],
  }
}

const gradleLinters: Readonly<Record<string, string>> = {
  spotless: 'spotlessCheck',
  ktlint: 'ktlintCheck',
  detekt: 'detekt',
  checkstyle: 'checkstyleMain',
}

async function detectGradle(files: ProjectFiles): Promise<Detection> {
  const file = await firstOf(files, [
    'build.gradle',
    'build.gradle.kts',
    'settings.gradle',
    'settings.gradle.kts',
  ])
  if (file === undefined) return nothingDetected
  const text = (await files.text(file)) ?? ''
  const hasWrapper = await files.has('gradlew')
  const program = `${hasWrapper ? './gradlew' : 'gradle'} --console=plain`
  const why = hasWrapper ? `${file}, with its wrapper gradlew` : `${file} makes it a Gradle project`
  const linter = Object.entries(gradleLinters).find(([name]) => text.includes(name))
  return {
    candidates: [
      tool('tests', `${program} test`, why),
      ...(linter === undefined
        ? []
        : [tool('lint', `${program} ${linter[1]}`, `${file} names ${linter[0]}`)]),
      tool('typecheck', `${program} classes testClasses`, why),
      tool('build', `${program} assemble`, why),
    ],
    problems: [],
  }
}
