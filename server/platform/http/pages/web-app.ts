import { createHash } from 'node:crypto';
import { join } from 'node:path';
import express, { type RequestHandler, type Response, Router } from 'express';
import { DAY_MS } from '#api/durations.ts';
import { type AppPage, readAppPage } from './app-page.ts';
import type { PageBrand } from './brand.ts';
import { toCompressedCopy } from './precompressed.ts';

const YEAR_MS = 365 * DAY_MS;
/** The pages of the application that require signing in. Visitors get the sign-in page in their place, which is a tenth of its size. */
const FOR_MEMBERS = /^\/(?:$|(?:albums|duplicates|trash|uploads|folders|settings|admin|connect)(?:\/|$))/;
const FOR_GUESTS = /^\/upload\/?$/;
const FOR_ENTRY = /^\/(?:sign-in|login|register|setup|phone)\/?$/;

interface WebApp {
  /** Whether the request comes from a signed-in user. */
  isSignedIn(response: Response): boolean;
  /** The site's current name, logo and colours. */
  brand(): PageBrand;
}

/** The web application: its built files, and a page for every address that it routes on the client. */
export function webApp(webRoot: string, { isSignedIn, brand }: WebApp): RequestHandler {
  const router = Router();
  const assets = join(webRoot, 'assets');
  // The names of built files contain a hash of their content.
  router.use(
    '/assets',
    toCompressedCopy(assets),
    express.static(assets, { immutable: true, maxAge: YEAR_MS, index: false, redirect: false }),
  );
  router.use(toCompressedCopy(webRoot), express.static(webRoot, { index: false, maxAge: 0, redirect: false }));
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
