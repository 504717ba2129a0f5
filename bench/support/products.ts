// Products that take pictures in and send them out, behind one interface.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Form, send } from './forms.ts';
import { type Directus, startDirectus, startIpx } from './installed.ts';
import { startMulter } from './peers.ts';
import type { Server, Workshop } from './programs.ts';
import { startService } from './service.ts';

/** A picture's addresses, for guests; those that a product doesn't have are missing. */
export interface Addresses {
  thumbnail?: string;
  original?: string;
}

export interface Product {
  name: string;
  server: Server;
  /** Undefined: it only reads a folder. */
  form?: Form;
  /** Stores a picture. */
  upload(bytes: Buffer): Promise<Addresses>;
  /** Reads the hundred newest, as their owner. */
  list?(): Promise<void>;
}

/** Of the longer side, in pixels. */
const WIDTH = 400;

/** @param only their names; all by default */
export async function startProducts(workshop: Workshop, only = Object.keys(PRODUCTS)): Promise<Product[]> {
  const started: Product[] = [];
  for (const [name, start] of Object.entries(PRODUCTS)) if (only.includes(name)) started.push({ name, ...(await start(workshop)) });
  return started;
}

async function pixdock(workshop: Workshop): Promise<Omit<Product, 'name'>> {
  const server = await startService(workshop, { pin: false });
  const headers = { cookie: server.cookie };
  const form = { url: `${server.url}/api/v1/upload`, headers };
  return {
    server,
    form,
    async upload(bytes) {
      const { data } = (await send(form, bytes)) as { data: { key: string; links: { url: string } } };
      return { original: data.links.url, thumbnail: `${server.url}/t/${data.key}.jpg?w=${WIDTH}` };
    },
    list: () => read(`${server.url}/api/v1/images?limit=100`, headers),
  };
}

async function directus(workshop: Workshop): Promise<Omit<Product, 'name'>> {
  const server: Directus = await startDirectus(workshop);
  const headers = { authorization: `Bearer ${server.token}` };
  const form = { url: `${server.url}/files`, headers };
  return {
    server,
    form,
    async upload(bytes) {
      const { data } = (await send(form, bytes)) as { data: { id: string } };
      const original = `${server.url}/assets/${data.id}`;
      return { original, thumbnail: `${original}?width=${WIDTH}&height=${WIDTH}&fit=inside&quality=80&format=jpg` };
    },
    list: () => read(`${server.url}/files?limit=100&sort=-uploaded_on`, headers),
  };
}

async function multer(workshop: Workshop): Promise<Omit<Product, 'name'>> {
  const server = await startMulter(workshop, join(workshop.folder, 'multer'));
  const form = { url: server.url, headers: {} };
  return {
    server,
    form,
    async upload(bytes) {
      await send(form, bytes);
      return {};
    },
  };
}

async function ipx(workshop: Workshop): Promise<Omit<Product, 'name'>> {
  const folder = join(workshop.folder, 'ipx');
  mkdirSync(folder);
  const server = await startIpx(workshop, folder);
  let number = 0;
  return {
    server,
    async upload(bytes) {
      const name = `${number++}.jpg`;
      writeFileSync(join(folder, name), bytes);
      return { thumbnail: `${server.url}/s_${WIDTH}x${WIDTH},fit_inside,q_80,f_jpeg/${name}` };
    },
  };
}

/** @throws if the response isn't the expected one */
export async function read(url: string, headers: Record<string, string> = {}): Promise<void> {
  const response = await fetch(url, { headers });
  const { length } = await response.bytes();
  if (!response.ok || length < 1_000) throw new Error(`${url}: status ${response.status}, ${length} bytes`);
}

const PRODUCTS: Record<string, (workshop: Workshop) => Promise<Omit<Product, 'name'>>> = {
  Pixdock: pixdock,
  Directus: directus,
  multer,
  ipx,
};
