/**
 * What the tests need and this machine may lack. As root, with apt, it is installed; else this says which tests will not run, and the command that installs what
 * is missing. It never fails: a test that lacks something is skipped.
 */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const NEEDS = [
  {
    what: 'a C and a C++ compiler',
    for: 'native programs (test/native-*, test/programs/native*, test/seeds/native-*, test/schedule)',
    there: () => onPath('gcc') && onPath('g++') && onPath('addr2line'),
    packages: ['gcc', 'g++', 'binutils', 'libc6-dev'],
    on: 'linux',
  },
  {
    what: 'a JDK and Maven',
    for: "Java programs (test/java, test/programs/java*, test/java-libraries, test/java-bugs), MongoDB's driver (test/databases)",
    there: () => onPath('javac') && onPath('mvn'),
    packages: ['openjdk-17-jdk-headless', 'maven'],
  },
  {
    what: 'PostgreSQL and Redis',
    for: 'applications with databases (test/databases, test/servers)',
    there: () => (onPath('postgres') || existsSync('/usr/lib/postgresql')) && onPath('redis-server'),
    packages: ['postgresql', 'redis-server'],
  },
  {
    what: 'MariaDB',
    for: 'applications with MariaDB (test/databases)',
    there: () => onPath('mariadbd') && onPath('mariadb'),
    packages: ['mariadb-server'],
  },
  {
    what: 'a NATS server',
    for: 'work on a queue (test/queue)',
    there: () => onPath('nats-server'),
    packages: ['nats-server'],
  },
  {
    what: 'Chromium',
    for: 'the HTML report (test/html/report.test.ts)',
    there: () => process.env.CHROMIUM || ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'].some(onPath),
    packages: ['chromium'],
  },
]

function onPath(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

function apt(...words) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync('apt-get', words, { stdio: 'ignore', env, timeout: 600_000 }).status === 0
}

const missing = NEEDS.filter(({ there, on }) => (on === undefined || on === process.platform) && !there())
if (missing.length > 0 && process.getuid?.() === 0 && onPath('apt-get')) {
  const packages = missing.flatMap((need) => need.packages)
  console.log(`Installing ${packages.join(', ')} for the tests.`)
  if (!apt('install', '-y', '--no-install-recommends', ...packages) && apt('update'))
    for (const need of missing) apt('install', '-y', '--no-install-recommends', ...need.packages)
}
for (const need of missing.filter(({ there }) => !there())) {
  console.log(`Not run, for want of ${need.what}: the tests of ${need.for}.`)
  console.log(`  Install it: apt-get install ${need.packages.join(' ')}`)
}
