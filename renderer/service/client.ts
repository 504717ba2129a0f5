import { createClient } from '#api/client.ts';
import { fetchEarly } from './early.ts';

/** The client of the service that sent this page. The browser's session cookie authenticates it. */
export const client = createClient({ fetch: fetchEarly });
