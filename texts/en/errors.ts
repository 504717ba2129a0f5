import type { ErrorCode } from '#api/errors.ts';

/** `what` replaces the service's message if that is missing or in another language; `next` is what the user can do about it. */
export const errors = {
  network: { what: 'Couldn’t reach Pixdock.', next: 'Check that it’s running and that you’re on the same network.' },
  unexpected: {
    what: 'Something went wrong.',
    next: 'Reload the page. If the problem persists, contact an administrator.',
  },
  invalid_request: { what: 'Some values are invalid.', next: 'Check what you entered.' },
  invalid_width: { what: 'There’s no thumbnail of that width.', next: '' },
  damaged_image: { what: 'This file is empty or damaged.', next: 'Open it in another program and save it again.' },
  image_too_large: { what: 'This picture has too many pixels.', next: 'Scale it down and upload it again.' },
  expires_over_group: { what: 'That expiry is too far in the future.', next: 'Choose a shorter time.' },
  max_views_over_group: { what: 'That view limit is too high.', next: 'Choose a lower one.' },
  album_not_found: { what: 'That album no longer exists.', next: 'Choose another one.' },
  policy_not_allowed: { what: 'You can’t use that storage policy.', next: 'Choose another one.' },
  unauthorized: { what: 'You aren’t signed in.', next: 'Sign in and try again.' },
  wrong_login: { what: 'Incorrect username or password.', next: 'Check both, and make sure Caps Lock is off.' },
  locked_out: {
    what: 'Too many failed sign-in attempts.',
    next: 'Try again in {{time}}. If you’ve forgotten your password, ask an administrator to set a new one.',
  },
  password_required: { what: 'A password is required.', next: '' },
  wrong_password: { what: 'Incorrect password.', next: 'Check it and try again.' },
  wrong_code: { what: 'Incorrect code.', next: 'Enter the current one. Each code works only once.' },
  step_over: { what: 'Your sign-in timed out.', next: 'Go back and enter your password again.' },
  too_many_codes: { what: 'Too many wrong codes.', next: 'Try again in {{time}}.' },
  passkey_unused: { what: 'No passkey was used.', next: 'The request was cancelled or took too long. Try again.' },
  unknown_passkey: { what: 'This passkey isn’t valid here.', next: 'Try another one, or sign in with your password.' },
  guest_disabled: { what: 'Uploading without an account is turned off.', next: 'Sign in to upload.' },
  forbidden: { what: 'You don’t have permission to do that.', next: 'Ask an administrator for access.' },
  sign_in_again: { what: 'It’s been too long since you signed in.', next: 'Sign in again, then retry.' },
  cross_site: { what: 'The request came from another site.', next: 'Reload this page.' },
  thumbnail_withheld: { what: 'No preview is available for this picture.', next: '' },
  not_found: { what: 'This item no longer exists.', next: 'Reload the page.' },
  method_not_allowed: { what: 'That isn’t possible here.', next: '' },
  slug_taken: { what: 'This address is already in use.', next: 'Choose another one.' },
  conflict: { what: 'That’s already taken.', next: 'Choose another one, or reload the page.' },
  idempotency_conflict: { what: 'This upload’s identifier was already used for another upload.', next: 'Upload the picture again.' },
  replaced: { what: 'This picture was uploaded earlier, and its file has since been replaced.', next: 'Upload it again to keep both.' },
  deleted: { what: 'This picture was uploaded earlier and has since been deleted.', next: 'Upload it again.' },
  expired: { what: 'This link has expired.', next: '' },
  view_limit_reached: { what: 'This link has reached its view limit.', next: '' },
  file_too_large: { what: 'This file is larger than {{max}}.', next: 'Choose a smaller one, or ask an administrator for a higher limit.' },
  guests_full: { what: 'The storage for guests is full.', next: 'Try again later, or sign in to upload.' },
  quota_exceeded: { what: 'Your storage is full.', next: 'Delete pictures you no longer need and empty the trash.' },
  ext_not_allowed: { what: 'Unsupported file type.', next: 'Supported types: {{exts}}.' },
  heic_unsupported: { what: 'This site can’t read HEIC files.', next: 'Export the picture as JPEG.' },
  url_not_allowed: { what: 'Pixdock isn’t allowed to fetch from that address.', next: 'Save the picture and upload the file instead.' },
  url_unreachable: {
    what: 'Couldn’t fetch a picture from that address.',
    next: 'Check it, or save the picture and upload the file instead.',
  },
  not_a_picture: {
    what: 'This address doesn’t point to a supported picture.',
    next: 'If it’s a page that shows the picture, right-click the picture there and choose “Copy image address”.',
  },
  unsupported_media_type: { what: 'That content type isn’t supported.', next: '' },
  unknown_host: { what: 'Pixdock isn’t configured for this address.', next: 'Use the address shown when Pixdock starts.' },
  request_timeout: { what: 'The request took too long to arrive.', next: 'Check your connection, and try again.' },
  body_too_large: { what: 'The request is too large.', next: '' },
  rate_limited: { what: 'Too many attempts.', next: 'Try again in {{time}}.' },
  internal: {
    what: 'Something went wrong in Pixdock.',
    next: 'Error ID: {{request}}',
  },
  unavailable: { what: 'Pixdock is busy or shutting down.', next: 'Try again in a moment.' },
  storage_unreachable: { what: 'The bucket can’t be used.', next: 'Check its settings.' },
  storage_full: { what: 'The server’s disk is full.', next: 'Ask an administrator to free up space.' },
} as const satisfies Record<
  | ErrorCode
  | 'guests_full'
  | 'network'
  | 'unexpected'
  | 'wrong_login'
  | 'locked_out'
  | 'step_over'
  | 'too_many_codes'
  | 'passkey_unused'
  | 'unknown_passkey'
  | 'not_a_picture',
  { what: string; next: string }
>;
