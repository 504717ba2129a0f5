import { ServerResponse } from 'node:http';
import type { Express, Response } from 'express';

/** Names and values alternating, as Node's `writeHead` takes them. */
export type HeaderList = string[];

/**
 * Gives every response the headers that it hasn't set itself. They are added when its head is written, so that no response lacks
 * them, and as one list, which takes half the time of setting them one at a time.
 */
export function addDefaultHeaders(app: Express, defaults: (response: Response) => HeaderList): void {
  const { writeHead } = ServerResponse.prototype;
  app.response.writeHead = function (this: Response, status: number, ...rest: unknown[]) {
    const [own] = rest;
    const missing = defaults(this);
    if (isHeaderList(own))
      return writeHead.call(this, status, [...own, ...without(missing, (name) => own.includes(name) || this.hasHeader(name))]);
    const added = without(missing, (name) => this.hasHeader(name));
    for (let at = 0; at < added.length; at += 2) this.setHeader(added[at] as string, added[at + 1] as string);
    return Reflect.apply(writeHead, this, [status, ...rest]);
  } as Response['writeHead'];
}

function isHeaderList(value: unknown): value is HeaderList {
  return Array.isArray(value);
}

/** Writes a head that has all default headers already, without adding any. */
export function writeWholeHead(response: ServerResponse, status: number, head: HeaderList): ServerResponse {
  return ServerResponse.prototype.writeHead.call(response, status, head);
}

/** The headers of a list that another one lacks. */
export function missingIn(own: HeaderList, list: HeaderList): HeaderList {
  return without(list, (name) => own.includes(name));
}

function without(list: HeaderList, isGiven: (name: string) => boolean): HeaderList {
  const left: HeaderList = [];
  for (let at = 0; at < list.length; at += 2) {
    const name = list[at] as string;
    if (!isGiven(name)) left.push(name, list[at + 1] as string);
  }
  return left;
}
