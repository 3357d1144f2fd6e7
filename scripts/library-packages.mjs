/**
 * `npm run library [NAME…]`: the library's properties on the packages they were written for. Installs the packages into a folder in the system's temporary
 * one (kept for the next time), checks each program of scripts/library-packages twice, and prints what was found.
 *
 *     // packages: pg              what the program needs
 *     await use() // expect X      the wrong program: X is found, looked for alone
 *     await use() // refused       the same call, where X is expected on another line
 *     // right: await wait()       what stands in the place of the next line in the right program, where to expect the error is not enough
 *
 * The right program is the same with the error expected: nothing of the whole library may be reported. Needs `npm run build`; takes a quarter of an hour.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PROGRAMS = fileURLToPath(new URL('library-packages/', import.meta.url))
const HEDDLE = fileURLToPath(new URL('../bin/heddle.js', import.meta.url))
const FOLDER = join(tmpdir(), 'heddle-library-packages')
const SECONDS = '60'

const wanted = process.argv.slice(2)
const programs = readdirSync(PROGRAMS)
  .filter((file) => !file.startsWith('_'))
  .filter((file) => wanted.length === 0 || wanted.some((name) => file.startsWith(name)))
  .map((file) => {
    const text = readFileSync(join(PROGRAMS, file), 'utf8')
    const packages = /^\/\/ packages: (.*)$/m.exec(text)[1].split(' ')
    return { file, text, packages, property: /\/\/ expect (\w+)/.exec(text)[1] }
  })

install()
const rows = programs.map(row)
print([['property', 'package', 'wrong', 'right', 'seconds'], ...rows.map(({ cells }) => cells)])
for (const { problems } of rows) for (const problem of problems) console.log(problem)
process.exitCode = rows.some(({ problems }) => problems.length > 0) ? 1 : 0

function install() {
  mkdirSync(FOLDER, { recursive: true })
  if (!existsSync(join(FOLDER, 'package.json'))) writeFileSync(join(FOLDER, 'package.json'), '{ "private": true }\n')
  const missing = [...new Set(programs.flatMap(({ packages }) => packages))].filter(
    (name) => !existsSync(join(FOLDER, 'node_modules', name)),
  )
  if (missing.length === 0) return
  console.log(`Installing ${missing.join(', ')} in ${FOLDER}`)
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel', 'error', ...missing], {
    cwd: FOLDER,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('npm could not install the packages: see above')
}

function row({ file, text, packages, property }) {
  const wrong = test(file, text, ['--library', 'off', '--property', `library:${property}`])
  const right = test(`right-${file}`, expecting(text), [])
  const version = JSON.parse(readFileSync(join(FOLDER, 'node_modules', packages[0], 'package.json'), 'utf8')).version
  const say = (tested, well) => (tested.problems.length === 0 ? well : 'NOT AS EXPECTED')
  return {
    cells: [property, `${packages[0]} ${version}`, say(wrong, 'FAILED'), say(right, 'silent'), `${wrong.seconds} + ${right.seconds}`],
    problems: [...wrong.problems, ...right.problems].map((problem) => `${file}: ${problem}`),
  }
}

/** The right program: what is refused is expected. */
function expecting(text) {
  return text
    .replaceAll(/^( *)\/\/ right:(.*)\n.*$/gm, '$1$2')
    .replaceAll(/^( *)(.*\S) \/\/ (?:expect \w+|refused)$/gm, (line, indent, code) =>
      /^(?:if|await)\b/.test(code) ? `${indent}try { ${code} } catch {}` : line,
    )
    .replaceAll(/\/\/ expect \w+/g, '// ok')
}

function test(file, text, options) {
  for (const name of readdirSync(PROGRAMS)) if (name.startsWith('_')) cpSync(join(PROGRAMS, name), join(FOLDER, name))
  const path = join(FOLDER, file)
  writeFileSync(path, text)
  const { stdout, stderr } = spawnSync(process.execPath, [HEDDLE, 'property', 'test', path, '--json', '--time', SECONDS, ...options], {
    encoding: 'utf8',
  })
  rmSync(path)
  if (stdout === '') throw new Error(stderr)
  const [{ problems, seconds }] = JSON.parse(stdout).programs
  console.error(`${problems.length === 0 ? 'ok     ' : 'not ok '} ${file} ${seconds} s`)
  return { problems, seconds }
}

function print(table) {
  const widths = table[0].map((_, i) => Math.max(...table.map((cells) => cells[i].length)))
  for (const cells of table)
    console.log(
      cells
        .map((cell, i) => cell.padEnd(widths[i]))
        .join('  ')
        .trimEnd(),
    )
}
