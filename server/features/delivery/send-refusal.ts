import type { Request, Response } from 'express';
import type { RequestError } from '#server/platform/base/errors.ts';
import { wantedForm } from '#server/platform/http/errors/wanted-form.ts';
import { ORIGINAL_CSP } from './original-head.ts';
import { placeholderFor } from './placeholder.ts';

/**
 * Responds to a refused direct link or thumbnail in a form that the client can use: a person who follows the link gets to
 * the share page, which explains the refusal; an `<img>` shows a placeholder with the same status.
 * @throws the refusal itself for other clients, and for a 404, which must not reveal more
 */
export function sendRefusal(request: Request, response: Response, key: string, refusal: RequestError): void {
  const placeholder = placeholderFor(refusal.code);
  const form = placeholder === undefined ? 'data' : wantedForm(request);
  if (form === 'data') throw refusal;
  response.setHeader('Cache-Control', 'private, no-store');
  if (form === 'page') {
    // Relative, so that the browser stays on the host that has its cookies.
    response.redirect(302, `/s/${key}`);
    return;
  }
  response.setHeader('Content-Security-Policy', ORIGINAL_CSP);
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  response.status(refusal.status).type('image/svg+xml').send(placeholder);
}
