// `npm run test:unit`: the tests that need neither a build nor a browser. Arguments go to Vitest: `npm run test:unit -- --watch albums`.
import { bootstrap } from '../bootstrap.mjs';
import { programOf, runNode } from '../programs.mjs';

await bootstrap(import.meta.url);
const given = process.argv.slice(2);
const patterns = given.filter((argument) => argument !== '--watch');
process.exit(runNode(programOf('vitest'), given.includes('--watch') ? 'watch' : 'run', '--project=unit*', ...patterns));
