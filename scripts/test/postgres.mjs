// `npm run test:postgres`: all tests of the service that don't need the database's file, on PostgreSQL. `npm run test:all` runs the essential ones.
// Arguments go to Vitest: `npm run test:postgres -- albums`.
import { bootstrap } from '../bootstrap.mjs';
import { programOf, runNode } from '../programs.mjs';

await bootstrap(import.meta.url);
process.env.PIXDOCK_TEST_POSTGRES = 'all';
process.exit(runNode(programOf('vitest'), 'run', '--project=postgres', ...process.argv.slice(2)));
