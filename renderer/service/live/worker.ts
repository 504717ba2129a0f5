import { CHANNEL, ENDED, OPEN } from './channel.ts';
import { createStream } from './stream.ts';

// Shared by all tabs of a browser: each stream takes one of the few connections that a browser opens to a server.
const channel = new BroadcastChannel(CHANNEL);
const stream = createStream(
  (event) => channel.postMessage(event),
  () => channel.postMessage(ENDED),
);
channel.onmessage = ({ data }) => data === OPEN && stream.open();
stream.open();
