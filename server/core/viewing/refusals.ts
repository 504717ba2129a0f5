import type { Access } from '#server/core/images/access.ts';
import { RequestError } from '#server/platform/base/errors.ts';

type Denied = Extract<Access, { allowed: false }>;

const SENTENCES: Record<Denied['code'], string> = {
  not_found: 'This picture doesn’t exist. It may have been deleted, or the link may be mistyped.',
  expired: 'This picture has expired.',
  password_required: 'This picture is password-protected. Open its share page and enter the password.',
  wrong_password: 'Incorrect password.',
  view_limit_reached: 'This picture has reached its view limit.',
};

/** The refusal for a denied access. */
export function refusalOf({ code }: Pick<Denied, 'code'>): RequestError {
  return new RequestError(code, SENTENCES[code]);
}
