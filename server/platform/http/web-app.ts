import { join } from 'node:path';
import express, { type RequestHandler, type Response, Router } from 'express';
import { DAY_MS } from '#api/durations.ts';
import { type AppPage, readAppPage } from './app-page.ts';

const YEAR_MS = 365 * DAY_MS;
/** The pages of the application that require signing in. Visitors get the sign-in page in their place, which is a tenth of the application. */
const FOR_MEMBERS = /^\/(?:$|(?:albums|trash|uploads|folders|settings|admin|connect)(?:\/|$))/;
const FOR_ENTRY = /^\/(?:sign-in|login|register|setup)\/?$/;

/**
 * The web application: its built files, and a page for every address that it routes on the client.
 * @param isSignedIn whether the request comes from a signed-in user
 */
export function webApp(webRoot: string, isSignedIn: (response: Response) => boolean): RequestHandler {
  const router = Router();
  // The names of built files contain a hash of their content.
  router.use('/assets', express.static(join(webRoot, 'assets'), { immutable: true, maxAge: YEAR_MS, index: false, redirect: false }));
  router.use(express.static(webRoot, { index: false, maxAge: 0, redirect: false }));
  router.get(/^\/(?!api\/|i\/|t\/|assets\/)/, async (request, response, next) => {
    if (!request.accepts('html')) return next();
    const page = await readAppPage(webRoot, pageOf(request.path, isSignedIn(response)));
    response.setHeader('Cache-Control', 'no-cache').vary('Cookie').type('html').send(page);
  });
  return router;
}

function pageOf(path: string, signedIn: boolean): AppPage {
  if (FOR_ENTRY.test(path)) return 'entry';
  return FOR_MEMBERS.test(path) && !signedIn ? 'entry' : 'index';
}
