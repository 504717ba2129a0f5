import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import express, { type RequestHandler, Router } from 'express';
import { DAY_MS } from '#api/durations.ts';

const YEAR_MS = 365 * DAY_MS;

/** The web application: its built files, and its page for every address that it routes on the client. */
export function webApp(webRoot: string): RequestHandler {
  const router = Router();
  // The names of built files contain a hash of their content.
  router.use('/assets', express.static(join(webRoot, 'assets'), { immutable: true, maxAge: YEAR_MS, index: false, redirect: false }));
  router.use(express.static(webRoot, { index: false, maxAge: 0, redirect: false }));
  router.get(/^\/(?!api\/|i\/|t\/|assets\/)/, async (request, response, next) => {
    if (!request.accepts('html')) return next();
    const page = await readFile(join(webRoot, 'index.html'), 'utf8');
    response.setHeader('Cache-Control', 'no-cache').type('html').send(page);
  });
  return router;
}
