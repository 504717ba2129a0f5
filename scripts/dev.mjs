// `npm run dev`: the service and the web application from their sources, with every change visible at once.
import { parseArgs } from 'node:util';
import { bootstrap } from './bootstrap.mjs';

const HELP = `npm run dev -- [options]

  --demo         start with users, albums and pictures, in a data folder of its own
  --fresh        empty the data folder first
  --pages        a page that shows every page of the web application, with the demo data
  --desktop      the desktop app as well; on the Electron double where Electron can't open
  --port <port>  the port to open in the browser (7420); the service takes the next one
`;

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        demo: { type: 'boolean', default: false },
        fresh: { type: 'boolean', default: false },
        pages: { type: 'boolean', default: false },
        desktop: { type: 'boolean', default: false },
        port: { type: 'string', default: '7420' },
        help: { type: 'boolean', default: false },
      },
    });
    const port = Number(values.port);
    if (!/^\d+$/.test(values.port) || port < 1 || port > 65_534) throw new Error('--port must be a whole number from 1 to 65534.');
    return { ...values, port };
  } catch (error) {
    console.error(`${error.message}\n\n${HELP}`);
    process.exit(2);
  }
}

const options = readOptions();
if (options.help) {
  console.log(HELP);
} else {
  await bootstrap(import.meta.url);
  // Loaded only now: it needs the packages.
  const { runDev } = await import('./dev/run.mjs');
  await runDev(options);
}
