// `npm run test:s3`: what Pixdock needs from an S3 server, tried on one of your choice:
// `npm run test:s3 -- --endpoint http://127.0.0.1:9000 --bucket pixdock-test --access-key … --secret-key …`.
// The bucket must exist; the tests use prefixes of their own in it and empty them. Without options, they run their own server.
import { parseArgs } from 'node:util';
import { bootstrap } from '../bootstrap.mjs';
import { programOf, runNode } from '../programs.mjs';

await bootstrap(import.meta.url);
const { values } = parseArgs({
  options: {
    endpoint: { type: 'string' },
    region: { type: 'string' },
    bucket: { type: 'string' },
    'access-key': { type: 'string' },
    'secret-key': { type: 'string' },
    'virtual-host': { type: 'boolean' },
  },
});
// Keys can also come from the environment, where other users of the computer don't see them.
for (const [name, value] of Object.entries(values)) process.env[`PIXDOCK_TEST_S3_${name.replace('-', '_').toUpperCase()}`] = String(value);
const missing = ['BUCKET', 'ACCESS_KEY', 'SECRET_KEY'].filter((name) => !process.env[`PIXDOCK_TEST_S3_${name}`]);
if (process.env.PIXDOCK_TEST_S3_ENDPOINT && missing.length > 0) {
  console.error(`Missing: ${missing.map((name) => `--${name.toLowerCase().replace('_', '-')}`).join(', ')}.`);
  process.exit(2);
}
process.exit(runNode(programOf('vitest'), 'run', '--project=hard', 'test/hard/s3.hard.ts'));
