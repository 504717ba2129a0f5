import type { ErrorCode } from '#api/errors.ts';

/** The pages that the service sends instead of one that it refuses. The error's own sentence stands where there is no better one. */
export const errorPages = {
  codes: {
    not_found: {
      title: 'Not found',
      text: 'There’s nothing at this address. It may have been deleted or made private, or the link is incomplete. Check that you have the whole link.',
    },
    expired: { title: 'This picture has expired', text: 'Ask the person who sent you the link to share it again.' },
    view_limit_reached: {
      title: 'This picture has reached its view limit',
      text: 'Ask the person who sent you the link to share it again.',
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
