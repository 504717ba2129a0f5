import type { Access } from '#server/core/images/access.ts';
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
