import type { ErrorCode } from '#api/errors.ts';

/**
 * Errors that the page puts into its own words, here or in every language: `what` happened, and what the user can do `next`. For all others, the
 * service's message is in English already.
 */
export const errors = {
  network: { what: 'Couldn’t reach Pixdock.', next: 'Check that it’s running and that you’re on the same network.' },
  unexpected: {
    what: 'Something went wrong.',
    next: 'Reload the page. If the problem persists, contact an administrator.',
  },
  wrong_login: { what: 'Incorrect username or password.', next: 'Check both, and make sure Caps Lock is off.' },
  locked_out: {
    what: 'Too many failed sign-in attempts.',
    next: 'Try again in {{time}}. If you’ve forgotten your password, ask an administrator to set a new one.',
  },
  step_over: { what: 'Your sign-in timed out.', next: 'Go back and enter your password again.' },
  too_many_codes: { what: 'Too many wrong codes.', next: 'Try again in {{time}}.' },
  passkey_unused: { what: 'No passkey was used.', next: 'The request was cancelled or took too long. Try again.' },
  unknown_passkey: { what: 'This passkey isn’t valid here.', next: 'Try another one, or sign in with your password.' },
  not_a_picture: {
    what: 'This address doesn’t point to a supported picture.',
    next: 'If it’s a page that shows the picture, right-click the picture there and choose “Copy image address”.',
  },
  file_too_large: { what: 'This file is larger than {{max}}.', next: 'Choose a smaller one, or ask an administrator for a higher limit.' },
  video_too_long: {
    what: 'This video is longer than {{duration}}.',
    next: 'Choose a shorter one, or ask an administrator for a higher limit.',
  },
  ext_not_allowed: { what: 'This file isn’t in a supported format.', next: 'Allowed formats: {{exts}}.' },
  body_too_large: { what: 'The request is too large.', next: '' },
  storage_full: { what: 'The server’s disk is full.', next: 'Ask an administrator to free up space.' },
  internal: { next: 'Error ID: {{request}}' },
} as const;

/** The pages that the service sends instead of one that it refuses. The error's own sentence stands where there is no better one. */
export const errorPages = {
  codes: {
    not_found: {
      title: 'Not found',
      text: 'There’s nothing at this address. It may have been deleted or made private, or the link is incomplete. Check that you have the whole link.',
    },
    expired: { title: 'This picture has expired', text: 'Ask whoever sent you the link to share it again.' },
    view_limit_reached: {
      title: 'This picture has reached its view limit',
      text: 'Ask whoever sent you the link to share it again.',
    },
    unknown_host: {
      title: 'Pixdock isn’t configured for this address',
      text: 'Use the address shown when Pixdock starts. If you run this site, add the name in your browser’s address bar to PIXDOCK_ALLOWED_HOSTS.',
    },
    rate_limited: { title: 'Too many requests', text: 'Wait a moment, then reload this page.' },
    method_not_allowed: { title: 'That isn’t possible here', text: 'Go back and try again.' },
    unavailable: { title: 'Pixdock is busy', text: 'Wait a moment, then reload this page.' },
    internal: {
      title: 'Something went wrong',
      text: 'Reload this page. If the problem persists, send the error ID to your administrator.',
    },
  } as Partial<Record<ErrorCode, { title: string; text: string }>>,
  /** For the other codes: the request is at fault, or the service. */
  request: 'This page can’t be shown',
  service: 'Something went wrong',
  /** The link to the home page. */
  wayOn: 'Go to the home page',
  errorId: 'Error ID:',
};
