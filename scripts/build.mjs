/**
 * Builds dist/: the bundled program, the client, the pages' files, and the offline gazetteer.
 *
 * `npm start` and `npm test` build first, so a build with nothing to do must be quick. The stamp in dist/ holds a hash
 * of every input and the list of files written. A build is made next to dist/ and replaces it at once, so dist/ is
 * always complete, even when builds run concurrently or one fails.
 */
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const stampName = '.stamp.json';
/**
 * Prefix of the folders of builds in progress. They are next to dist/, because a rename works only within one file
 * system.
 */
const temporaryPrefix = '.dist-';

const common = ['package-lock.json', 'tsconfig.json', 'scripts/build.mjs'];
const inputs = hashOf([...common, 'scripts', 'package.json', 'src', 'web']);
const webFolder = 'web/pages/';
const webInputs = hashOf([
  ...common,
  'scripts/bundle-web.mjs',
  'scripts/catalogues.mjs',
  'scripts/icons.mjs',
  'scripts/licences.mjs',
  'scripts/towns.mjs',
  'scripts/world.mjs',
  // The modules of the server that the pages import.
  'src/domain',
  'src/errors.ts',
  'src/transfer',
  'src/web',
  'web',
]);
// The gazetteer takes longest and seldom changes. A test checks that it depends on nothing else.
const gazetteerInputs = hashOf([
  ...common,
  'src/geocoding',
  'src/domain',
  'src/errors.ts',
  'src/lib/package-files.ts',
]);
const gazetteerPath = 'geocoding/offline/gazetteer.bin';

const stamp = readStamp();
if (!isCurrent() && !(await build())) process.exitCode = 1;

async function build() {
  removeLeftovers();
  const target = mkdtempSync(join(root, temporaryPrefix));
  try {
    const { bundle } = await import('./bundle.mjs');
    if (!(await bundle(target))) return false;
    const { bundleClient } = await import('./bundle-client.mjs');
    if (!(await bundleClient(join(target, 'client')))) return false;
    const { copyGraphiqlAssets } = await importSource('src/web/graphiql-assets.ts');
    copyGraphiqlAssets(join(target, 'web/graphiql'));
    const { writeStartStyle } = await importSource('src/web/start-page.ts');
    writeStartStyle(join(target, 'web'));
    const { copyEmbedScript } = await importSource('src/web/embed-script.ts');
    copyEmbedScript(join(target, 'web'));
    if (!reuse(target, webFolder, stamp.webInputs === webInputs)) {
      const { bundleWeb } = await import('./bundle-web.mjs');
      if (!(await bundleWeb(join(target, webFolder)))) return false;
    }
    if (!reuse(target, gazetteerPath, stamp.gazetteerInputs === gazetteerInputs)) {
      const { buildGazetteer } = await importSource('src/geocoding/offline/build-index.ts');
      await buildGazetteer(join(target, gazetteerPath));
    }
    chmodSync(join(target, 'cli/main.js'), 0o755);
    // mkdtemp makes a folder that only its owner can read, but every user reads an installed program.
    chmodSync(target, 0o755);
    writeFileSync(
      join(target, stampName),
      JSON.stringify({ inputs, webInputs, gazetteerInputs, outputs: sizesOf(target) }),
    );
    replaceDist(target);
    return true;
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
}

async function importSource(path) {
  const { tsImport } = await import('tsx/esm/api');
  return tsImport(join(root, path), import.meta.url);
}

/**
 * Copies a file, or the files of a folder, from the previous build.
 *
 * @param path relative to dist/
 * @param isCurrent false if its inputs have changed; then nothing is copied
 * @returns whether it was copied completely
 */
function reuse(target, path, isCurrent) {
  const outputs = Object.entries(stamp.outputs).filter(([name]) => name.startsWith(path));
  if (!isCurrent || outputs.length === 0) return false;
  try {
    return outputs.every(([name, size]) => {
      mkdirSync(dirname(join(target, name)), { recursive: true });
      copyFileSync(join(dist, name), join(target, name));
      return statSync(join(target, name)).size === size;
    });
  } catch {
    return false;
  }
}

/**
 * One hash of the content of all inputs. Modification times would not do: they change with every checkout. The lock
 * file represents the packages, so dist/ stays current when development dependencies are pruned.
 */
function hashOf(paths) {
  const files = paths.flatMap((path) =>
    statSync(join(root, path)).isFile()
      ? [path]
      : filesBelow(join(root, path)).map((name) => join(path, name)),
  );
  const hash = createHash('sha256');
  for (const file of files.sort()) {
    const content = readFileSync(join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true }).filter((name) => isFile(join(folder, name)));
}

/** False for a file deleted since it was listed, such as an editor's temporary file. */
function isFile(path) {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(join(dist, stampName), 'utf8'));
  } catch {
    return { outputs: {} };
  }
}

function isCurrent() {
  if (stamp.inputs !== inputs) return false;
  // A part of dist/ may have been removed since then.
  return Object.entries(stamp.outputs).every(
    ([name, size]) => statSync(join(dist, name), { throwIfNoEntry: false })?.size === size,
  );
}

function sizesOf(folder) {
  return Object.fromEntries(filesBelow(folder).map((name) => [name, statSync(join(folder, name)).size]));
}

/**
 * A rename cannot replace a folder that holds files, so the old one is moved aside first. If another build moves its
 * own into place meanwhile, this retries.
 */
function replaceDist(target) {
  const aside = `${target}-old`;
  for (let attempt = 1; ; attempt += 1) {
    try {
      renameSync(dist, aside);
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
    try {
      renameSync(target, dist);
      rmSync(aside, { recursive: true, force: true });
      return;
    } catch (error) {
      rmSync(aside, { recursive: true, force: true });
      if (attempt === 20 || !['ENOTEMPTY', 'EEXIST'].includes(error.code)) throw error;
    }
  }
}

/** Removes the folders of killed builds. No build runs for an hour. */
function removeLeftovers() {
  for (const name of readdirSync(root)) {
    const path = join(root, name);
    if (
      name.startsWith(temporaryPrefix) &&
      Date.now() - statSync(path, { throwIfNoEntry: false })?.mtimeMs > 3_600_000
    ) {
      rmSync(path, { recursive: true, force: true });
    }
  }
}
