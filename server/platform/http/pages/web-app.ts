import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import { DAY_MS } from '#api/durations.ts';
import { type AppPage, readAppPage } from './app-page.ts';
import type { PageBrand } from './brand.ts';

const YEAR_MS = 365 * DAY_MS;
/** The pages of the application that require signing in. Visitors get the sign-in page in their place, which is a tenth of its size. */
const FOR_MEMBERS = /^\/(?:$|(?:albums|duplicates|trash|uploads|folders|settings|admin|connect)(?:\/|$))/;
/** The addresses of all other pages. Below some, there are none: `/uploads/2024/a.png` may be somebody’s address from before. */
const PAGES = /^\/(?:$|(?:duplicates|trash|uploads|sent|team|account)\/?$|(?:albums|folders|settings|admin|connect|delete)(?:\/|$))/;
const FOR_GUESTS = /^\/upload\/?$/;
const FOR_ENTRY = /^\/(?:sign-in|login|register|setup|phone)\/?$/;

/** Whether the application has a page with this path. */
export const isOwnPage = (path: string): boolean => [PAGES, FOR_GUESTS, FOR_ENTRY].some((pages) => pages.test(path));

interface WebApp {
  /** Whether the request comes from a signed-in user. */
  isSignedIn(response: Response): boolean;
  /** The site's current name, logo and colours. */
  brand(): PageBrand;
  /** Handles what no file has the address of. */
  beforePages: RequestHandler;
}

/** The web application: its built files, and a page for every address that it routes on the client. */
export function webApp(webRoot: string, { isSignedIn, brand, beforePages }: WebApp): RequestHandler {
  const router = Router();
  const assets = join(webRoot, 'assets');
  // The names of built files contain a hash of their content.
  router.use(
    '/assets',
    toCompressedCopy(assets),
    express.static(assets, { immutable: true, maxAge: YEAR_MS, index: false, redirect: false }),
  );
  router.use(toCompressedCopy(webRoot), express.static(webRoot, { index: false, maxAge: 0, redirect: false }));
  router.get(/^\/(?!api\/|assets\/)/, beforePages);
  router.get(/^\/(?!api\/|i\/|t\/|assets\/)/, async (request, response, next) => {
    if (!request.accepts('html')) return next();
    const { html, policy } = await readAppPage(webRoot, pageOf(request.path, isSignedIn(response)), brand());
    response.setHeader('Content-Security-Policy', policy);
    response.setHeader('Cache-Control', 'no-cache').setHeader('ETag', tagOf(html)).vary('Cookie').type('html').send(html);
  });
  return router;
}

function pageOf(path: string, signedIn: boolean): AppPage {
  if (FOR_ENTRY.test(path)) return 'entry';
  if (FOR_GUESTS.test(path)) return 'guest';
  return FOR_MEMBERS.test(path) && !signedIn ? 'entry' : 'index';
}

/** By content: packages give all files the same timestamp, and pages that differ only in the names of their scripts have the same size. Weak, for every encoding. */
const tagOf = (page: string) => `W/"${createHash('sha256').update(page).digest('base64url').slice(0, 22)}"`;

/** The encodings that the build writes copies in, the smaller one first, and how the names of the copies end. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;
/** The names of built files. Everything else is left to the static file handler, which checks paths. */
const BUILT = /^(?:\/[\w-]+(?:\.[\w-]+)*)+\.(?:js|css|svg|json)$/;

/** The encodings that a client accepts, the smallest first. One with `q=0` is refused. */
const acceptedEncodings = (request: Request) => ENCODINGS.filter(([encoding]) => request.acceptsEncodings(encoding));

/**
 * Points a request for a built file to its compressed copy, where there is one that the client accepts. The static file handler behind it
 * sends the copy, with its own ETag and ranges.
 */
function toCompressedCopy(folder: string): RequestHandler {
  return async (request, response, next) => {
    const { path } = request;
    if (!BUILT.test(path) || !['GET', 'HEAD'].includes(request.method)) return next();
    response.vary('Accept-Encoding');
    for (const [encoding, extension] of acceptedEncodings(request)) {
      if (!(await isFile(join(folder, path + extension)))) continue;
      request.url = request.url.replace(path, path + extension);
      response.setHeader('Content-Encoding', encoding);
      response.type(extname(path));
      break;
    }
    next();
  };
}

const isFile = (path: string) =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
