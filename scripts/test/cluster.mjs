// `npm run test:cluster`: the service's tests over HTTP, with two services on PostgreSQL and S3 behind nginx in place of each one.
// Arguments go to Vitest: `npm run test:cluster -- albums`.
import { spawnSync } from 'node:child_process';
import { bootstrap } from '../bootstrap.mjs';
import { programOf, runNode } from '../programs.mjs';

await bootstrap(import.meta.url);
if (['nginx', '/usr/sbin/nginx'].every((program) => spawnSync(program, ['-v']).error)) {
  console.error('nginx is missing. Install it, for example with "apt install nginx" or "brew install nginx".');
  process.exit(2);
}
process.exit(runNode(programOf('vitest'), 'run', '--project=cluster', ...process.argv.slice(2)));
