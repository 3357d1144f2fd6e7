/**
 * The package, as it is published: built from an empty `dist`, with a bill of materials (CycloneDX) and a statement of where it comes from (in-toto, SLSA provenance 1).
 * All of it goes to .heddle/pack, or to the folder that is named. The statement is not signed: `npm publish --provenance` in CI signs one of its own.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const OUT = resolve(process.argv[2] ?? join(ROOT, '.heddle/pack'))
const run = (file, ...args) =>
  execFileSync(file, args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'inherit'] })
const hash = (algorithm, path) => createHash(algorithm).update(readFileSync(path)).digest('hex')

const started = new Date()
// What an older version built is no part of this one.
rmSync(join(ROOT, 'dist'), { recursive: true, force: true })
run('npm', 'run', 'build')
mkdirSync(OUT, { recursive: true })
const [packed] = JSON.parse(run('npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', OUT))
const maps = packed.files.filter(({ path }) => path.endsWith('.map'))
if (maps.length > 0) throw new Error(`the package has ${maps.length} source maps`)

const tarball = join(OUT, packed.filename)
const name = packed.filename.replace(/\.tgz$/, '')
const bom = join(OUT, `${name}.cdx.json`)
const materials = JSON.parse(
  run('npm', 'sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--omit', 'dev', '--package-lock-only'),
)
// npm takes the name of the folder.
materials.metadata.component.name = packed.name
// The agent for Java programs: npm does not know of jars.
const asm = join(ROOT, 'dist/java/asm.jar')
if (!existsSync(asm)) throw new Error('the agent for Java programs was not built: the package would lack it')
const asmHash = /SHA256 = '(\w+)'/.exec(readFileSync(join(ROOT, 'scripts/build-java.mjs'), 'utf8'))[1]
if (hash('sha256', asm) !== asmHash) throw new Error('dist/java/asm.jar is not the one that is meant')
const asmVersion = /<artifactId>asm<\/artifactId>\s*<version>([\d.]+)</.exec(readFileSync(join(ROOT, 'runtime/java/pom.xml'), 'utf8'))[1]
const asmUrl = `pkg:maven/org.ow2.asm/asm@${asmVersion}`
materials.components.push({
  'bom-ref': asmUrl,
  type: 'library',
  group: 'org.ow2.asm',
  name: 'asm',
  version: asmVersion,
  purl: asmUrl,
  hashes: [{ alg: 'SHA-256', content: asmHash }],
  licenses: [{ license: { id: 'BSD-3-Clause' } }],
})
const own = materials.dependencies?.find(({ ref }) => ref === materials.metadata.component['bom-ref'])
own?.dependsOn.push(asmUrl)
writeFileSync(bom, `${JSON.stringify(materials, null, 2)}\n`)

const statement = {
  _type: 'https://in-toto.io/Statement/v1',
  subject: [
    { name: packed.filename, digest: { sha256: hash('sha256', tarball), sha512: hash('sha512', tarball) } },
    { name: `${name}.cdx.json`, digest: { sha256: hash('sha256', bom) } },
  ],
  predicateType: 'https://slsa.dev/provenance/v1',
  predicate: {
    buildDefinition: {
      buildType: 'https://docs.npmjs.com/cli/commands/npm-pack',
      externalParameters: { script: 'scripts/pack.mjs', changed: run('git', 'status', '--porcelain').trim() !== '' },
      internalParameters: { node: process.version, npm: run('npm', '--version').trim() },
      resolvedDependencies: [
        { uri: 'git+.', digest: { gitCommit: run('git', 'rev-parse', 'HEAD').trim() } },
        { uri: 'package-lock.json', digest: { sha256: hash('sha256', join(ROOT, 'package-lock.json')) } },
      ],
    },
    runDetails: {
      builder: { id: 'local' },
      metadata: { startedOn: started.toISOString(), finishedOn: new Date().toISOString() },
    },
  },
}
writeFileSync(join(OUT, `${name}.provenance.json`), `${JSON.stringify(statement, null, 2)}\n`)
console.log(
  `${tarball}: ${packed.files.length} files, ${(packed.size / 1e6).toFixed(2)} MB packed, ${(packed.unpackedSize / 1e6).toFixed(2)} MB unpacked`,
)
console.log(`${bom}\n${join(OUT, `${name}.provenance.json`)}`)
