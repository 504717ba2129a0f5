import { z } from 'zod';
import { MIN_PASSWORD_LENGTH, RECENT_SIGN_IN_MINUTES } from '#api/constants.ts';
import { asSent, line, nothing, route, typed } from '#api/contract.ts';

// Unicode Technical Standard 39, “highly restrictive”: nobody can write another user's name with letters of a second writing system that look
// the same, and names in Chinese, Japanese and Korean may contain Latin letters, as they often do.

/** The scripts in everyday use (Unicode Standard Annex 31, table 5). */
const SCRIPTS =
  'Arab Armn Beng Bopo Cyrl Deva Ethi Geor Grek Gujr Guru Hang Hani Hebr Hira Kana Khmr Knda Laoo Latn Mlym Mymr Orya Sinh Taml Telu Thaa Thai Tibt';
/** Those that one text may mix. */
const MIXED = ['Latn Hani Hira Kana', 'Latn Hani Bopo', 'Latn Hani Hang'];

/** Texts of some scripts, with what all have: digits, punctuation, emoji, and accents. */
const textsOf = (scripts: string) =>
  new RegExp(`^[${[...scripts.split(' '), 'Zyyy', 'Zinh'].map((script) => `\\p{scx=${script}}`).join('')}]*$`, 'u');
const WRITINGS = [...MIXED, ...SCRIPTS.split(' ')].map(textsOf);

/** Whether the letters of a text are of one writing system. */
const isOneWriting = (text: string): boolean => WRITINGS.some((texts) => texts.test(text));

/** Nobody may look like somebody else: `аlice`, with a Cyrillic а, is refused, as is what nobody sees (decision 176). */
export const username = z
  .string()
  .trim()
  .normalize('NFC')
  .min(1)
  .max(64)
  .regex(/^[^\s@/\\\p{C}\p{Default_Ignorable_Code_Point}\u2800]+$/u, 'it may not contain spaces, @, slashes or invisible characters')
  .refine(isOneWriting, 'its letters must be of one writing system; Latin letters may be mixed with Chinese, Japanese or Korean ones');
/** A new account password; one that is easily guessed is rejected with the problem `weak_password`. */
export const password = asSent(1024, MIN_PASSWORD_LENGTH);
/** Confirms that the holder of a session is the account's user. */
export const currentPassword = asSent(1024)
  .optional()
  .meta({
    description: `Required if the account has a password. Otherwise, the caller must have signed in within the last ${RECENT_SIGN_IN_MINUTES} minutes`,
  });
export const email = z.email('it isn’t an email address').max(254);

/** Where a user's avatar is. */
export const avatarUrl = z
  .string()
  .nullable()
  .meta({ description: 'Path on this server, to which `&size=256` can be added; it changes with the avatar. Null: none' });

/** The signed-in user, as they see themselves. */
export const user = z.object({
  id: z.int(),
  username: z.string(),
  email: z.string().nullable(),
  role: z.enum(['user', 'admin']),
  is_owner: z.boolean(),
  has_password: z.boolean(),
  avatar_url: avatarUrl,
  created_at: z.iso.datetime(),
});
export type User = z.infer<typeof user>;

/** The result of a password: the signed-in user, or what is still missing, within ten minutes and in the same browser. */
const passwordResult = z.object({
  user: user.nullable().meta({ description: 'Null if a second step is required' }),
  second_step: z.enum(['code', 'enrol', 'passkey']).nullable().meta({
    description:
      '`code`: send a code to `/auth/code`; `enrol`: set up two-factor authentication at `/auth/enrol`; `passkey`: sign in with a passkey instead',
  }),
});

export const setup = route({
  method: 'POST',
  path: '/setup',
  access: 'open',
  summary: 'Create the first account (the owner) and sign in; works only while no account exists',
  body: z.object({
    username,
    email,
    password,
    site_name: line(100, 1).optional(),
    setup_code: asSent(100).optional().meta({ description: 'The one-time code that the server prints; required while no account exists' }),
  }),
  data: z.object({ user }),
  errors: ['forbidden', 'cross_site', 'conflict'],
});

const inviteCode = typed(100, 1);

export const checkInvite = route({
  method: 'POST',
  path: '/auth/invite',
  access: 'open',
  summary: 'Check whether an invite can still be used, without using it',
  body: z.object({ invite: inviteCode }),
  data: nothing,
  errors: ['forbidden', 'cross_site', 'rate_limited'],
});

export const register = route({
  method: 'POST',
  path: '/auth/register',
  access: 'open',
  summary: 'Register and sign in, if the registration mode allows it',
  body: z.object({
    username,
    email,
    password,
    invite: inviteCode.optional().meta({ description: 'Invite code; required if the registration mode is `invite`' }),
  }),
  data: passwordResult,
  errors: ['forbidden', 'cross_site', 'conflict', 'rate_limited'],
});

export const login = route({
  method: 'POST',
  path: '/auth/login',
  access: 'open',
  summary: 'Sign in with a username or email address and a password; accounts with two-factor authentication need a second step',
  body: z.object({ login: line(254, 1), password: asSent(1024, 1) }),
  data: passwordResult,
  errors: ['unauthorized', 'cross_site', 'rate_limited'],
});

export const logout = route({
  method: 'POST',
  path: '/auth/logout',
  access: 'open',
  summary: 'Sign out',
  data: nothing,
  errors: ['cross_site'],
});

export const getSession = route({
  method: 'GET',
  path: '/auth/session',
  access: 'open',
  summary: 'Get the signed-in user; `user` is null if there is none',
  data: z.object({ user: user.nullable() }),
});
