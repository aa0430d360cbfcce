/** Bundles src/client, the package's public module: one file without dependencies, and its types. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const ENTRY = join(root, 'src/client/index.ts');

/** @returns false if it failed; the reason has been printed */
export async function bundleClient(target) {
  try {
    await build({
      entryPoints: [ENTRY],
      outfile: join(target, 'index.js'),
      bundle: true,
      format: 'esm',
      platform: 'neutral',
      target: 'es2022',
      logLevel: 'warning',
    });
  } catch {
    return false;
  }
  return writeTypes(target);
}

function writeTypes(target) {
  const program = ts.createProgram([ENTRY], {
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
    types: [],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    strict: true,
    declaration: true,
    emitDeclarationOnly: true,
    allowImportingTsExtensions: true,
    outDir: target,
  });
  // `./map.js` resolves under every module resolution setting.
  const write = (path, text) =>
    ts.sys.writeFile(
      path,
      text.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'").replaceAll(/(from "\.[^"]*)\.ts"/g, '$1.js"'),
    );
  const { diagnostics } = program.emit(undefined, write);
  const all = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
  for (const { messageText, file } of all) {
    console.error(`${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
  }
  return all.length === 0;
}
