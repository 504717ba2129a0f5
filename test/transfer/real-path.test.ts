import { mkdir, realpath, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { NotAFile, OutsideFolders } from '#transfer/open-file.ts';
import { FileFault } from '#transfer/post-form.ts';
import { leadsAway, NotOnDisk, realPlace } from '#transfer/real-path.ts';
import { compileFilters } from '#transfer/select.ts';
import { openFound, walk } from '#transfer/walk.ts';

const [NFC, NFD] = ['caf\u00e9', 'cafe\u0301'];

describe('the real place of a path', () => {
  it('is what realpath finds, link by link', async () => {
    const folder = await realpath(temporaryFolder());
    await mkdir(join(folder, 'a/b'), { recursive: true });
    await writeFile(join(folder, 'a/b/file.png'), 'x');
    await symlink('a/b', join(folder, 'relative'), 'junction');
    await symlink(join(folder, 'relative/file.png'), join(folder, 'absolute.png'));
    for (const path of ['a/b/file.png', 'relative/file.png', 'absolute.png', 'a/../relative/./file.png']) {
      const place = await realPlace(join(folder, path));
      expect(place).toMatchObject({ path: join(folder, 'a/b/file.png'), stats: { size: 1 } });
      expect(place.path).toBe(await realpath(join(folder, path)));
    }
    await expect(realPlace(join(folder, 'missing.png'))).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(realPlace(join(folder, 'absolute.png/x'))).rejects.toMatchObject({ code: 'ENOTDIR' });
    await symlink('loop', join(folder, 'loop'));
    await expect(realPlace(join(folder, 'loop/x'))).rejects.toMatchObject({ code: 'ELOOP' });
  });

  it('is found in another normal form of Unicode, in each part of the path; the name as given comes first', async () => {
    const folder = await realpath(temporaryFolder());
    await mkdir(join(folder, NFD));
    await writeFile(join(folder, NFD, `${NFC}.png`), '');
    await writeFile(join(folder, NFD, `b-${NFD}.png`), '');
    const found = async (...path: string[]) => (await realPlace(join(folder, ...path))).path;
    for (const dir of [NFC, NFD]) {
      for (const name of [NFC, NFD]) {
        expect(await found(dir, `${name}.png`)).toBe(join(folder, NFD, `${NFC}.png`));
        expect(await found(dir, `b-${name}.png`)).toBe(join(folder, NFD, `b-${NFD}.png`));
      }
    }
    await writeFile(join(folder, NFD, `${NFD}.png`), '');
    expect(await found(NFD, `${NFD}.png`)).toBe(join(folder, NFD, `${NFD}.png`));
    await expect(found(NFC, 'caf\u00e8.png')).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.runIf(process.platform !== 'win32')(
    'isn’t looked for on another computer or in devices, also behind links, unless that folder was chosen',
    async () => {
      const folder = await realpath(temporaryFolder());
      await symlink('/net/server.example/share', join(folder, 'net'));
      await symlink('//server.example/share', join(folder, 'share'));
      await symlink('/dev', join(folder, 'dev'));
      await symlink('net', join(folder, 'chain'));
      for (const path of ['net/a.png', 'share/a.png', 'chain/a.png', 'dev/zero'])
        await expect(realPlace(join(folder, path))).rejects.toThrow(NotOnDisk);
      await expect(realPlace('/net/server.example/a.png')).rejects.toThrow(NotOnDisk);
      // It is looked for, and isn't there.
      await expect(realPlace('/net/server.example/a.png', { trusted: ['/net/server.example'] })).rejects.toMatchObject({ code: 'ENOENT' });
    },
  );
});

describe('names that aren’t touched', () => {
  it.each([
    '\\\\server\\share\\a.png',
    '//server/share/a.png',
    '/\\server\\share\\a.png',
    '\\/server/share/a.png',
    '\\\\?\\UNC\\server\\share\\a.png',
    '\\\\.\\pipe\\name',
    '\\??\\UNC\\server\\share\\a.png',
  ])('on any system: %s', (name) => {
    for (const platform of ['linux', 'darwin', 'win32'] as const) expect(leadsAway(name, platform)).toBe('is on another computer');
  });

  it.each(['/net/server/a.png', '/net', '/Net/server/a.png', '/misc/x/a.png', '/afs/example.org/a.png', '/Network/Servers/a.png'])(
    'of automounters: %s',
    (name) => {
      for (const platform of ['linux', 'darwin'] as const) expect(leadsAway(name, platform)).toBe('is on another computer');
    },
  );

  it('of the automounters that this computer has', () => {
    expect(leadsAway('/home/other/a.png', 'darwin')).toBe('is on another computer');
    expect(leadsAway('/home/other/a.png', 'linux')).toBeUndefined();
    expect(leadsAway('/home/other/a.png', 'linux', ['/home'])).toBe('is on another computer');
    expect(leadsAway('/homes/other/a.png', 'linux', ['/home'])).toBeUndefined();
  });

  it.each(['NUL', 'nul.png', 'img\\CON.png', 'img/com1.tar.png', 'C:\\x\\LPT¹.png', 'aux .png', 'prn:stream', 'x/CONIN$', 'nul/a.png'])(
    'of Windows’ devices: %s',
    (name) => {
      expect(leadsAway(name, 'win32')).toBe('is a device');
      expect(leadsAway(name, 'linux')).toBeUndefined();
    },
  );

  it.each(['/dev/zero', '/proc/self/environ', '/sys/x.png'])('of devices: %s', (name) => {
    for (const platform of ['linux', 'darwin'] as const) expect(leadsAway(name, platform)).toBe('is a device');
  });

  it.each([
    'C:\\pictures\\a.png',
    'console.png',
    'null.png',
    'com.png',
    'com10.png',
    '/home/me/a.png',
    '/network-map.png',
    '/netz/a.png',
    '/development/a.png',
    'a/dev/b.png',
    '/dev/shm/a.png',
  ])('aren’t those of ordinary files: %s', (name) => {
    for (const platform of ['linux', 'win32'] as const) expect(leadsAway(name, platform)).toBeUndefined();
  });
});

/** The only file of a folder, as a walk finds it. */
async function findOnly(root: string) {
  const events = { onSkip: () => undefined, onError: () => Promise.reject(new Error('can’t be read')) };
  for await (const file of walk(root, compileFilters({ recursive: true }), events)) return file;
  throw new Error('there is no file');
}

it('a file that was found is opened unless it has changed, or leads out of the folder by now', async () => {
  const [root, elsewhere] = [await realpath(temporaryFolder()), await realpath(temporaryFolder())];
  await mkdir(join(root, 'sub'));
  await writeFile(join(root, 'sub/a.png'), 'own');
  await writeFile(join(elsewhere, 'a.png'), 'its');
  const found = await findOnly(root);
  {
    await using file = await openFound(found);
    expect(await file.handle.readFile('utf8')).toBe('own');
  }
  await rename(join(root, 'sub'), join(root, 'before'));
  await symlink(elsewhere, join(root, 'sub'), 'junction');
  await expect(openFound(found)).rejects.toThrow(OutsideFolders);

  const other = await findOnly(root);
  await rename(join(root, 'before/a.png'), join(root, 'before/b.png'));
  await symlink(join(elsewhere, 'a.png'), join(root, 'before/a.png'));
  await expect(openFound(other)).rejects.toThrow(NotAFile);
  await writeFile(join(root, 'before/b.png'), 'longer');
  await expect(openFound({ ...other, path: Buffer.from(join(root, 'before/b.png')) })).rejects.toThrow(FileFault);
});
