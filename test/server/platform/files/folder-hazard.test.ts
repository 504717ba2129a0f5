import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FolderSystem, hazardOf } from '#server/platform/files/folder-hazard.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

const EXT4 = 0xef53;

/** A system where any path can be a data folder, and no folder has marks. */
const system = (own: Partial<FolderSystem>): FolderSystem => ({
  platform: 'linux',
  realpath: async (path) => path,
  fileSystemOf: async () => EXT4,
  mounts: async () => '',
  exists: async () => false,
  ...own,
});

const MOUNTS = `/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
/dev/disk3s5 on /System/Volumes/Data (apfs, local, journaled, nobrowse)
//ada@nas._smb._tcp.local/Our pictures (all) on /Volumes/Our pictures (all) (smbfs, nodev, nosuid, mounted by ada)
/dev/disk5s1 on /Volumes/Our pictures (all)/disk (apfs, local)
nas:/export on /Volumes/export (nfs)
`;

describe('network shares', () => {
  it.each([
    ['NFS', 0x6969],
    ['SMB', 0xff534d42],
    ['SMB, as a signed number', 0xfe534d42 | 0],
  ])('are recognised on Linux: %s', async (_name, type) => {
    expect(await hazardOf('/mnt/pics', system({ fileSystemOf: async () => type }))).toBe('network');
  });

  it.each([
    ['/Volumes/Our pictures (all)/pixdock', 'network'],
    ['/Volumes/export', 'network'],
    ['/Volumes/Our pictures (all)/disk/pixdock', undefined],
    ['/Volumes/export2', undefined],
    ['/Users/ada/Library', undefined],
  ])('are recognised on macOS by the mount that contains the folder: %s', async (path, hazard) => {
    expect(await hazardOf(path, system({ platform: 'darwin', mounts: async () => MOUNTS }))).toBe(hazard);
  });

  it.each([
    ['\\\\nas\\pics\\pixdock', 'network'],
    ['\\\\?\\C:\\pixdock', undefined],
    ['C:\\Users\\ada\\pixdock', undefined],
  ])('are recognised on Windows, also behind the letter of a drive: %s', async (real, hazard) => {
    expect(await hazardOf('P:\\pixdock', system({ platform: 'win32', realpath: async () => real }))).toBe(hazard);
  });

  it('are not assumed where the system doesn’t tell', async () => {
    const refuse = () => Promise.reject(new Error('not supported'));
    expect(await hazardOf('/pics', system({ fileSystemOf: refuse }))).toBeUndefined();
  });
});

it.each([
  '/home/ada/Dropbox/pics',
  '/Users/ada/Library/CloudStorage/GoogleDrive-ada@example.org/My Drive',
  'C:\\Users\\ada\\OneDrive - Example Ltd\\pixdock',
])('a folder that a program synchronises is recognised by its name: %s', async (path) => {
  expect(await hazardOf(path, system({}))).toBe('synchronised');
});

it('one with a name of its own is recognised by what the program keeps there, even before it exists', async () => {
  const folder = temporaryFolder();
  const planned = join(folder, 'Sync', 'team', 'pixdock');
  expect(await hazardOf(planned)).toBeUndefined();
  await mkdir(join(folder, 'Sync', '.stfolder'), { recursive: true });
  expect(await hazardOf(planned)).toBe('synchronised');
  await writeFile(join(folder, 'unrelated.txt'), '');
  expect(await hazardOf(folder)).toBeUndefined();
});
