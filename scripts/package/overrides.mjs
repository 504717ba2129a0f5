// What the target and the environment add to electron-builder.yml: fuses, signing, updates, and builds for tests.

/** Variables with a certificate; electron-builder reads them itself. */
const CERTIFICATES = { darwin: ['CSC_LINK', 'CSC_NAME'], win32: ['WIN_CSC_LINK', 'CSC_LINK'] };
/** With all of a list set, Apple notarises the app. */
const NOTARIES = [
  ['APPLE_API_KEY', 'APPLE_API_KEY_ID', 'APPLE_API_ISSUER'],
  ['APPLE_ID', 'APPLE_APP_SPECIFIC_PASSWORD', 'APPLE_TEAM_ID'],
];

const isSet = (name) => Boolean(process.env[name]);
const canSign = ({ platform }) => CERTIFICATES[platform]?.some(isSet) ?? false;
const canNotarise = (target) => canSign(target) && NOTARIES.some((names) => names.every(isSet));

/** A configuration for electron-builder that extends electron-builder.yml. */
export function configurationFor(target, { inspectable = false, electronDist, output, editPrograms = true } = {}) {
  return {
    extends: 'electron-builder.yml',
    ...(target.platform === 'darwin' ? { mac: macSigning(target) } : {}),
    ...updates(target),
    ...(editPrograms ? {} : { win: { signAndEditExecutable: false } }),
    ...fuses(target, inspectable),
    // Such a build is never released, so it has a folder of its own.
    ...(inspectable || output ? { directories: { output: output ?? 'release/inspectable' } } : {}),
    ...(electronDist ? { electronDist } : {}),
  };
}

/**
 * Without a certificate, macOS gets an ad-hoc signature: its ARM processors run nothing unsigned. The hardened runtime would then reject the
 * app's own frameworks, since no team has signed them.
 */
function macSigning(target) {
  return canSign(target) ? { notarize: canNotarise(target) } : { identity: '-', hardenedRuntime: false, notarize: false };
}

function fuses({ platform }, inspectable) {
  const changed = {
    // On Linux, it would open the keyring at every start (decision 118).
    ...(platform === 'linux' ? { enableCookieEncryption: false } : {}),
    // A debugger, and thus Playwright, can attach.
    ...(inspectable ? { enableNodeCliInspectArguments: true } : {}),
  };
  return Object.keys(changed).length > 0 ? { electronFuses: changed } : {};
}

/** Each processor has a channel of its own: a feed has one list per channel, and packages are built one processor at a time. */
function updates({ arch }) {
  const url = process.env.PIXDOCK_UPDATE_FEED;
  return url ? { publish: { provider: 'generic', url, channel: `latest-${arch}` } } : {};
}

/** A sentence about a package that isn't signed, or undefined. */
export function signingNotice(target) {
  if (target.platform === 'linux') return undefined;
  if (target.platform === 'win32')
    return canSign(target) ? undefined : 'This package is not signed: WIN_CSC_LINK is not set. Windows SmartScreen will warn about it.';
  if (canNotarise(target)) return undefined;
  return canSign(target)
    ? 'This package is signed, but not notarised: neither APPLE_API_KEY nor APPLE_ID is set. macOS will refuse it once downloaded.'
    : 'This package is not signed by a developer: CSC_LINK is not set. macOS will refuse it once downloaded, until the user allows it.';
}
