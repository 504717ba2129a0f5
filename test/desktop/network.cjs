// Loaded into the main process and the service: they see one network adapter, with the address in PIXDOCK_TEST_NETWORK.
const { syncBuiltinESMExports } = require('node:module');
const os = require('node:os');

const [loopback, entries] = Object.entries(os.networkInterfaces()).find(([, list]) => list.some(({ address }) => address === '127.0.0.1'));
const entry = entries.find(({ address }) => address === '127.0.0.1');

os.networkInterfaces = () => {
  const address = process.env.PIXDOCK_TEST_NETWORK;
  return { [loopback]: [entry], lan0: [{ ...entry, address, cidr: `${address}/8`, internal: false }] };
};
syncBuiltinESMExports();
