import type { ConflictProblem, ErrorCode, FieldProblem } from '#api/errors.ts';
import { conflicts } from './en-conflicts.ts';
import { storageProblems } from './en-storage-problems.ts';

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
  step_over: { what: 'This took too long.', next: 'Go back and enter your password again.' },
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
  problems: {
    ...storageProblems,
    ...conflicts,
    missing: 'This field is required.',
    too_short: 'Enter at least {{limit}} characters.',
    too_long: 'Enter at most {{limit}} characters.',
    too_small: 'Enter at least {{limit}}.',
    too_large: 'Enter at most {{limit}}.',
    too_many: 'Enter at most {{limit}} entries.',
    not_number: 'Enter a whole number.',
    not_email: 'Enter a valid email address.',
    weak_password: 'Too easy to guess. Use a few unrelated words, or let a password manager generate one.',
    bad_username: 'Spaces, slashes, @ and invisible characters aren’t allowed.',
    username_taken: 'This username is already taken. Choose another one.',
    email_taken: 'Another account already uses this email address. Sign in to that account, or use a different address.',
    not_web_address: 'Enter a complete web address, starting with http:// or https://.',
    private_address: 'This address isn’t on the public internet. An administrator can allow it in the settings.',
    not_origin: 'Enter an http or https address without a path, such as https://pics.example.org.',
    insecure_issuer:
      'This issuer uses plain http, so an attacker on the network could sign in as someone else. Use its https address, or turn on “Allow an unencrypted issuer”.',
    multi_tenant_issuer:
      'With this issuer, users of any organisation could sign in. Enter your own tenant’s issuer, or enter the allowed tenants.',
    not_service_address: 'Enter an http or https address without a username, a query or a fragment, such as https://service.example.org.',
    not_domain: 'Enter domains such as example.org.',
    not_tenant: 'Enter tenant IDs such as 72f988bf-86f1-41af-91ab-2d7cd011db47.',
    not_host_or_network: 'Enter host names, IP addresses or networks such as 10.1.0.0/16.',
    own_address: 'This is the address of this site. Enter the address of a CDN with a host name of its own.',
    bad_bucket: 'Enter a bucket name: 3 to 63 letters, digits, hyphens and single dots, starting and ending with a letter or digit.',
    bad_prefix: 'Use letters, digits, dots, hyphens and underscores, with a slash between folders but not at the start or end.',
    temporary_key: 'Enter the ID of a permanent access key. Those that start with ASIA are temporary.',
    needs_path_style: 'The endpoint contains a path. Turn on “Path-style addresses”.',
    default_over_maximum: 'The default can’t be higher than the maximum.',
    not_available: 'This choice isn’t available any more. Choose another one.',
    no_policy: 'Your group has no storage policy. Ask an administrator to allow one.',
    took_too_long: 'This took too long. Start again with a new QR code.',
    passkey_unverified: 'The passkey couldn’t be verified. Try again.',
    folder_not_absolute: 'Enter an absolute path.',
    folder_in_use: 'This folder contains or is inside one that Pixdock already uses. Choose a separate one.',
    folder_not_empty: 'This folder isn’t empty. Choose an empty one, or enter a new name.',
    folder_missing: 'The parent folder doesn’t exist.',
    folder_denied: 'Pixdock isn’t allowed to write to this folder. Change its permissions, or choose another one.',
    folder_unusable: 'Pixdock can’t use this folder. Check the path, and that the disk isn’t full.',
  },
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
> & {
  problems: Record<FieldProblem | ConflictProblem, string>;
};
