import type { Request, Response } from 'express';
import type { Access } from '#server/core/images/access.ts';
import { ORIGINAL_CSP } from '#server/features/delivery/original-csp.ts';
import { placeholderFor } from '#server/features/delivery/placeholder.ts';
import { wantedForm } from '#server/features/delivery/wanted-form.ts';
import { RequestError } from '#server/platform/base/errors.ts';

type Denied = Extract<Access, { allowed: false }>;

const SENTENCES: Record<Denied['code'], string> = {
  not_found: 'There is no such picture. It may have been deleted, or the link is wrong.',
  expired: 'This picture has expired.',
  password_required: 'This picture is protected. Open its share page and enter the password.',
  wrong_password: 'The password is wrong.',
  view_limit_reached: 'This picture has been looked at as often as its owner allowed.',
};

/** The refusal that goes with a denied access. */
export function refusalOf({ code }: Pick<Denied, 'code'>): RequestError {
  return new RequestError(code, SENTENCES[code]);
}

/**
 * Answers a refused direct link or thumbnail in the form that its caller can use: a person who follows the link comes to
 * the share page, which explains it; an `<img>` shows a placeholder with the same status.
 * @throws the refusal itself for all others, and where there is nothing to explain, since a 404 must not tell more
 */
export function answerRefusal(request: Request, response: Response, key: string, refusal: RequestError): void {
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
