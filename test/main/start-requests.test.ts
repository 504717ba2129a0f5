import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { collectRequests, fulfil, hostOfLink, pageOfLink, parseStart } from '#main/start-requests.ts';
import { app } from '#test/desktop/double/app.ts';
import { DoubleEvent } from '#test/desktop/double/event.ts';

vi.mock('electron', () => import('#test/desktop/double/electron.ts'));
afterEach(() => vi.unstubAllEnvs());

test.each([
  ['pixdock://open/', '/'],
  ['pixdock://open', '/'],
  ['pixdock://open/settings/tokens', '/settings/tokens'],
  ['pixdock://open/albums/aB3_x-9', '/albums/aB3_x-9'],
])('%s opens %s', (link, page) => {
  expect(pageOfLink(link)).toBe(page);
});

test.each([
  'pixdock://upload?file=/etc/passwd',
  'pixdock://open//evil.example',
  'pixdock://open/../../etc/passwd',
  'pixdock://open/api/v1/auth/logout',
  'pixdock://open/settings%2F..%2Fi',
  'https://open/settings',
  'javascript:alert(1)',
  'pixdock:',
])('%s opens nothing', (link) => {
  expect(pageOfLink(link)).toBeUndefined();
});

test.each([
  ['pixdock://join?address=http%3A%2F%2F192.168.1.5%3A7410', 'http://192.168.1.5:7410'],
  ['pixdock://join?address=https://pics.example.org/register?invite=x', 'https://pics.example.org'],
  ['pixdock://join?address=file:///etc/passwd', undefined],
  ['pixdock://join?address=http://ada:secret@pics.example.org', undefined],
  ['pixdock://join', undefined],
  ['pixdock://open/?address=http://192.168.1.5', undefined],
  ['https://join?address=http://192.168.1.5', undefined],
])('%s asks to join %s', (link, address) => {
  expect(hostOfLink(link)).toBe(address);
});

test('drops what follows the path of a link', () => {
  expect(pageOfLink('pixdock://open/settings/tokens?name=x#y')).toBe('/settings/tokens');
});

test('takes files from the arguments, relative to where the program was started', () => {
  const given = ['--hidden', 'a.png', '/pictures/b c.png', 'file:///pictures/d%20e.png', '--lang=en'];
  expect(parseStart(given, '/home/ada')).toEqual({
    files: ['/home/ada/a.png', '/pictures/b c.png', '/pictures/d e.png'],
    hidden: true,
  });
});

test('takes the page from a link, and never a file', () => {
  expect(parseStart(['pixdock://open/trash'], '/')).toEqual({ files: [], page: '/trash', hidden: false });
  expect(parseStart(['pixdock://upload/etc/passwd'], '/')).toEqual({ files: [], hidden: false });
});

test.each([
  ['pixdock://open/trash', '/etc/passwd'],
  ['secret.png', 'PIXDOCK://open/trash'],
  ['Pixdock://open/trash', 'file:///etc/passwd'],
])('takes no files beside a link: %s %s', (...given) => {
  expect(parseStart(given, '/home/ada')).toEqual({ files: [], page: '/trash', hidden: false });
});

test('leaves out addresses that aren’t files of this computer', () => {
  const log = vi.spyOn(console, 'error').mockReturnValue(undefined);
  expect(parseStart(['file:///pictures/%2F.png', 'a.png'], '/home/ada').files).toEqual(['/home/ada/a.png']);
  expect(log).toHaveBeenCalledOnce();
  log.mockRestore();
});

test('no start registers links: the installers do, and the portable program must not', () => {
  const register = vi.fn();
  Object.assign(app, { setAsDefaultProtocolClient: register });
  vi.spyOn(app, 'isPackaged', 'get').mockReturnValue(true);
  vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');
  onTestFinished(() => void vi.restoreAllMocks());
  collectRequests();
  expect(register).not.toHaveBeenCalled();
});

test.each([
  ['shows the window', { files: [], hidden: false }, [[]], []],
  ['shows nothing at login', { files: [], hidden: true }, [], []],
  ['uploads without showing the window', { files: ['/a.png'], hidden: false }, [], [[['/a.png']]]],
  ['opens a page', { files: [], page: '/trash', hidden: true }, [['/trash']], []],
])('%s', (_title, request, shown, uploaded) => {
  const [show, upload] = [vi.fn(), vi.fn()];
  fulfil(request, { show, upload, join: vi.fn() });
  expect(show.mock.calls).toEqual(shown);
  expect(upload.mock.calls).toEqual(uploaded);
});

test('on macOS, what arrives before the app is ready is kept, and a start at login stays hidden until the dock is clicked', () => {
  vi.stubEnv('ELECTRON_DOUBLE_AT_LOGIN', '1');
  const requests = collectRequests('darwin');
  app.emit('open-file', new DoubleEvent(), '/a.png');
  app.emit('open-url', new DoubleEvent(), 'pixdock://open/trash');
  app.emit('activate', new DoubleEvent(), false);
  app.becomeReady();
  expect(requests.first().hidden).toBe(true);
  const [show, upload] = [vi.fn(), vi.fn()];
  requests.follow((request) => fulfil(request, { show, upload, join: vi.fn() }));
  expect(upload.mock.calls).toEqual([[['/a.png']]]);
  expect(show.mock.calls).toEqual([['/trash'], []]);
  app.emit('activate', new DoubleEvent(), false);
  expect(show).toHaveBeenCalledTimes(3);
});

test('links to join a server go to the first page while it is open, and then say that this computer has a role', () => {
  const link = (host: string) => app.emit('open-url', new DoubleEvent(), `pixdock://join?address=http%3A%2F%2F${host}`);
  const requests = collectRequests('darwin');
  link('early.example');
  app.emit('open-file', new DoubleEvent(), '/a.png');
  const [asked, upload, join] = [vi.fn(), vi.fn(), vi.fn()];
  requests.onJoin(asked);
  link('later.example');
  expect(asked.mock.calls).toEqual([['http://early.example'], ['http://later.example']]);
  requests.follow((request) => fulfil(request, { show: vi.fn(), upload, join }));
  expect([upload.mock.calls, join.mock.calls]).toEqual([[[['/a.png']]], []]);
  link('last.example');
  expect(join.mock.calls).toEqual([['http://last.example']]);
});
