import type { ServerResponse } from 'node:http';

/** Ends a response with JSON. */
export function sendJson(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(value));
}
