#!/usr/bin/env node
// The entry of the command line. It may import nothing statically: an old Node must get as far as asking for a newer one.
const NEEDED = 24;
const args = process.argv.slice(2);

if (Number(process.versions.node.split('.')[0]) < NEEDED) {
  const { runOnNewerNode } = await import('./newer-node.ts');
  process.exitCode = await runOnNewerNode(NEEDED, args);
} else {
  const { main } = await import('./program.ts');
  process.exitCode = await main(args);
}

export {};
