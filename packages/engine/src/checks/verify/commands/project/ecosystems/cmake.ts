import { nothingDetected, tool, type Detection, type ProjectFiles } from '../detected.ts'

/** CMake, where it was configured before. */
export async function detectCmake(files: ProjectFiles): Promise<Detection> {
  if (!(await files.has('CMakeLists.txt'))) return nothingDetected
  for (const folder of ['build', 'out', 'cmake-build-debug']) {
    if (!(await files.has(`${folder}/CMakeCache.txt`))) continue
    const why = `CMakeLists.txt, configured in ${folder}`
    return {
      candidates: [
        tool('tests', `ctest --test-dir ${folder} --output-on-failure --no-tests=error`, why),
        tool('build', `cmake --build ${folder}`, why),
      ],
      problems: [],
    }
  }
  return {
    candidates: [],
    problems: [
      'CMakeLists.txt is there, but no folder in which it was configured; run "cmake -B build" first',
    ],
  }
}
