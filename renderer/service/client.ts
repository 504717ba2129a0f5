import { createClient } from '#api/client.ts';

/** The service that has sent this page, as the person whose session cookie the browser holds. */
export const client = createClient();
