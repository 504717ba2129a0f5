import { relative } from 'node:path';
import { beforeEach } from 'vitest';

/** Files of `test/server` and the beginnings of their tests' names; none: all tests of the file. */
type Tests = Record<string, string[]>;

/** What `npm run test:cluster` skips, and why. */
const NOT_IN_CLUSTER: Record<string, Tests> = {
  'nginx responds itself, or to the client in its own way': {
    'contract/contract.test.ts': ['every route of the OpenAPI document > survives hostile text'],
    'features/delivery/original.test.ts': ['table > is not found by an unknown or malformed key'],
    'features/events/events.test.ts': ['tells proxies'],
    'platform/http/headers/default-headers.test.ts': ['sends the security headers and a request ID with every kind of response'],
    'platform/http/hosts.test.ts': ['the Host header > may not be evil.example/localhost'],
    'platform/http/limits/stalled.test.ts': ['keeps idle connections', 'closes the connections of PicGo'],
    'platform/http/errors/field-problem.test.ts': ['malformed > rejects a request with'],
  },
  'nginx replaces the addresses and protocols that clients claim': {
    'core/viewing/passwords.test.ts': ['the unlock cookie > is Secure only when the request came over https'],
    'platform/http/hosts.test.ts': ['forwarded headers'],
  },
  'with several services, one guess more may pass': {
    'core/viewing/passwords.test.ts': ['ten wrong passwords > cannot be exceeded by concurrent attempts'],
    'features/accounts/known-devices.test.ts': ['has a limit of its own'],
    'features/accounts/login.test.ts': [
      'guessing passwords > cannot exceed the limit',
      'guessing passwords > allows thirty wrong passwords',
    ],
    'features/accounts/profile/profile.test.ts': ['the password > cannot be guessed with a stolen session'],
    'features/accounts/two-factor.test.ts': ['signing in with two-factor authentication > stops after ten wrong codes'],
  },
  'each service adds its views to the database every few seconds': {
    'core/viewing/views.test.ts': ['views >'],
    'features/admin/images.test.ts': ['statistics > include views'],
    'features/gallery/change.test.ts': ['counts the views of others per day'],
  },
  'changes of storage policies reach the other service milliseconds later, and it has caches of its own': {
    'features/admin/policies/buckets.test.ts': [],
    'features/admin/policies/policies.test.ts': ['a storage policy > applies changes to new pictures only'],
    'features/accounts/profile/preferences.test.ts': ['keeps artist and copyright'],
  },
  'shows or changes the address, which the fixture fixes': {
    'features/admin/settings/settings.test.ts': ['settings > have safe defaults', 'the base URL'],
  },
  'a question to one service': {
    'features/admin/images.test.ts': ['the system > shows'],
    'features/events/events.test.ts': ['after an interruption > continues', 'is refused to more than ten', 'is reported by the metrics'],
    'features/upload/idempotency.test.ts': ['a key of an upload by URL > fetches the picture once'],
    'platform/http/hosts.test.ts': ['the Host header > may be a name that is allowed later'],
    'start/listening.test.ts': [],
    'start/monitoring.test.ts': ['responds to requests while it stops', 'counts requests, uploads, views and jobs'],
    'start/load-balancer.test.ts': ['stops despite'],
  },
  'each service makes thumbnails of its own, with other bytes': {
    'features/gallery/slug.test.ts': ['a custom address > opens direct, thumbnail and share links'],
  },
  'looks into the data folder': {
    'features/admin/policies/policies.test.ts': ['the folder of a storage policy > must not lie in the data folder'],
    'features/delivery/thumbnail.test.ts': ['is generated once', 'is kept, and generated again'],
    'features/upload/too-large.test.ts': ['a client that disconnects midway'],
    'platform/http/errors/field-problem.test.ts': ['gives an invalid field'],
  },
};

const FOLDER = 'test/server';

beforeEach(({ task, skip }) => {
  const path = relative(FOLDER, task.file.filepath);
  for (const [why, files] of Object.entries(NOT_IN_CLUSTER)) {
    const names = files[path];
    if (names?.length === 0 || names?.some((name) => task.fullTestName.startsWith(name))) skip(why);
  }
});
