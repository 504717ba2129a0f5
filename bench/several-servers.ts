// Uploads and views of two services on one PostgreSQL database and a bucket, compared with one. `node bench/several-servers.ts`
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { PostgresServer } from '../test/helpers/service/data/postgres-server.ts';
import { runObjectStore } from '../test/helpers/service/stores/run-object-store.ts';
import { median } from './support/load.ts';
import { openWorkshop, type Server } from './support/programs.ts';
import { CAMERA, photo, variant } from './support/samples.ts';
import { post } from './support/service.ts';

const ROUNDS = 5;
const AT_ONCE = 16;
const UPLOADS = 160;
const VIEWS = 2_000;

const SERVICE = join(import.meta.dirname, '../dist/server/bin.js');

await using workshop = openWorkshop();
const postgres = await PostgresServer.create();
try {
  await main();
} finally {
  await postgres.remove();
}

async function main() {
  await using store = await runObjectStore();
  const secrets = Buffer.from(JSON.stringify({ master: randomBytes(32).toString('base64') })).toString('base64');
  const env = { PIXDOCK_DATABASE_URL: postgres.url(), PIXDOCK_SECRETS: secrets, PIXDOCK_PORT: '0' };
  const start = (name: string) => workshop.start([process.execPath, [SERVICE]], { ...env, PIXDOCK_DATA_DIR: join(workshop.folder, name) });
  const one = await start('one');
  const setup_code = await one.printed(/\/setup#code=(\S+)/);
  const account = { username: 'bench', email: 'bench@example.org', password: 'bench bench bench', setup_code };
  const [cookie = ''] = (await post(one.url, '/setup', account)).headers.getSetCookie().map((text) => text.split(';')[0]);
  const created = await post(one.url, '/admin/policies', { name: 'Bucket', driver: 's3', config: store.access }, cookie);
  const { data: policy } = (await created.json()) as { data: { id: number } };
  const unlimited = { uploads_per_minute: 0, uploads_per_hour: 0, uploads_per_day: 0 };
  await fetch(`${one.url}/api/v1/admin/groups/1`, {
    method: 'PATCH',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ policy_ids: [policy.id], ...unlimited }),
  });
  const two = await start('two');

  const picture = await (await photo(1000, 750)).jpeg({ quality: 79 }).withExif(CAMERA).toBuffer();
  let number = 0;
  const paths: string[] = [];
  const upload = async ({ url }: Server) => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(variant(picture, number++))]), 'photo.jpg');
    const { data } = (await (await post(url, '/upload', form, cookie)).json()) as { data: { links: { url: string } } };
    paths.push(new URL(data.links.url).pathname);
  };
  const view = async ({ url }: Server) => {
    const response = await fetch(url + paths[number++ % AT_ONCE]);
    const { length } = await response.bytes();
    if (response.status !== 200 || length < 1_000) throw new Error(`${response.url}: status ${response.status}, ${length} bytes`);
  };
  await measure(`uploads of ${Math.round(picture.length / 1000)} KB`, UPLOADS, upload, [one, two]);
  await measure('views', VIEWS, view, [one, two]);
}

/** Rounds with one service and with both take turns; the first isn't counted. */
async function measure(what: string, requests: number, send: (server: Server) => Promise<void>, both: readonly [Server, Server]) {
  const rounds = { one: [] as Round[], two: [] as Round[] };
  for (let round = 0; round <= ROUNDS; round++) {
    const [alone, together] = [await run(requests, send, [both[0]]), await run(requests, send, both)];
    if (round === 0) continue;
    rounds.one.push(alone);
    rounds.two.push(together);
  }
  const of = (list: Round[]) =>
    `${median(list.map(({ perSecond }) => perSecond)).toFixed(0)}/s, ${median(list.map(({ cpuMs }) => cpuMs)).toFixed(1)} ms of CPU time each`;
  console.log(`${what}, ${AT_ONCE} at once: one server ${of(rounds.one)}; two servers ${of(rounds.two)}`);
}

interface Round {
  perSecond: number;
  /** Of the services, per request. */
  cpuMs: number;
}

async function run(requests: number, send: (server: Server) => Promise<void>, servers: readonly Server[]): Promise<Round> {
  const cpu = () => servers.reduce((sum, server) => sum + server.cpuSeconds(), 0);
  const [began, before] = [performance.now(), cpu()];
  let left = requests;
  const client = async (index: number) => {
    while (left-- > 0) await send(servers[index % servers.length] as Server);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => client(index)));
  return { perSecond: (requests / (performance.now() - began)) * 1000, cpuMs: ((cpu() - before) * 1000) / requests };
}
