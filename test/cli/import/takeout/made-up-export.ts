import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { newImage } from '#test/cli/homes.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { videoFixture } from '#test/helpers/pictures/videos.ts';

/** 2019-05-06T07:08:09Z in seconds. */
export const TAKEN = 1557126489;
export const LONG = 'Screenshot_20200301-123456_Some_Application_Nam';

/** The JSON file of a picture, as Google Photos writes it. */
export const pictureJson = (title: string, more: Record<string, unknown> = {}, taken: number | string = TAKEN) =>
  JSON.stringify({
    title,
    description: '',
    imageViews: '3',
    creationTime: { timestamp: '1600598769', formatted: 'Sep 20, 2020, 10:46:09 AM UTC' },
    photoTakenTime: { timestamp: String(taken), formatted: 'whenever' },
    geoData: { latitude: 55.2, longitude: 37.6, altitude: 214.4, latitudeSpan: 0, longitudeSpan: 0 },
    people: [{ name: 'Дочь' }],
    url: 'https://photos.google.com/photo/AF1Q',
    googlePhotosOrigin: { mobileUpload: { deviceType: 'ANDROID_PHONE' } },
    ...more,
  });

/** A home with `Takeout`, an unpacked export that has every oddity of Google's. */
export async function madeUpExport(home: string): Promise<void> {
  const shared = newImage();
  const inTwoAlbums = newImage();
  const live = newImage();
  const year = 'Takeout/Google Fotos/Photos from 2019';
  const trip = 'Takeout/Google Fotos/Oslo _ Bergen';
  await writeFiles(home, {
    // Ordinary, with an old and a new name of the JSON file.
    [`${year}/IMG_1.jpg`]: newImage(),
    [`${year}/IMG_1.jpg.json`]: pictureJson('IMG_1.jpg', {
      description: 'Tom &amp; Jerry&#39;s &lt;boat&gt;\nsecond line',
      favorited: true,
    }),
    [`${year}/IMG_2.jpg`]: newImage(),
    [`${year}/IMG_2.jpg.supplemental-metadata.json`]: pictureJson('Gary&#39;s “2”.jpg'),
    // Several with the same name.
    [`${year}/IMG_1(1).jpg`]: newImage(),
    [`${year}/IMG_1.jpg(1).json`]: pictureJson('IMG_1.jpg', {}, TAKEN + 1),
    [`${year}/IMG_2(2).jpg`]: newImage(),
    [`${year}/IMG_2.jpg.supplemental-metadata(2).json`]: pictureJson('IMG_2.jpg', {}, TAKEN + 2),
    // Edited, without a JSON file.
    [`${year}/IMG_1-bearbeitet.jpg`]: newImage(),
    [`${year}/IMG_1-edited(1).jpg`]: newImage(),
    // Cut names.
    [`${year}/${LONG}.jpg`]: newImage(),
    [`${year}/${LONG.slice(0, 46)}.json`]: pictureJson(`${LONG}e_And_More.jpg`, {}, TAKEN + 3),
    [`${year}/received_10152408911805949.jpeg`]: newImage(),
    [`${year}/received_10152408911805949.jpeg.supplemental-m.json`]: pictureJson('received_10152408911805949.jpeg', {}, TAKEN + 4),
    // Before 1970, and unknown.
    [`${year}/scan.png`]: newImage(),
    [`${year}/scan.png.json`]: pictureJson('scan.png', {}, -86_400),
    [`${year}/undated.png`]: newImage(),
    [`${year}/undated.png.json`]: pictureJson('undated.png', {}, 0),
    // The date in the picture itself counts.
    [`${year}/camera.jpg`]: await photoJpeg({ takenAt: '2018:01:02 03:04:05', offset: '+00:00' }),
    [`${year}/camera.jpg.json`]: pictureJson('camera.jpg'),
    // A Live Photo, and a video.
    [`${year}/IMG_9.png`]: live,
    [`${year}/IMG_9.png.json`]: pictureJson('IMG_9.png'),
    [`${year}/IMG_9.MP4`]: 'video',
    [`${year}/VID_1.mp4`]: videoFixture('two-videos.mp4'),
    [`${year}/VID_1.mp4.json`]: pictureJson('VID_1.mp4'),
    // Archived, deleted, without and with a damaged JSON file.
    [`${year}/archived.png`]: newImage(),
    [`${year}/archived.png.json`]: pictureJson('archived.png', { archived: true }),
    'Takeout/Google Fotos/Papierkorb/gone.png': newImage(),
    'Takeout/Google Fotos/Papierkorb/gone.png.json': pictureJson('gone.png', { trashed: true }),
    [`${year}/alone.png`]: newImage(),
    [`${year}/damaged.png`]: newImage(),
    [`${year}/damaged.png.json`]: '{"title": "damaged.png", "photoTak',
    // A JSON file without a picture.
    [`${year}/elsewhere.jpg.json`]: pictureJson('elsewhere.jpg'),
    // Albums: the same pictures as in the year, one only here, and titles that can't be names of folders.
    [`${year}/shared.png`]: shared,
    [`${year}/shared.png.json`]: pictureJson('shared.png', { description: 'Harbour' }),
    [`${trip}/Metadaten.json`]: JSON.stringify({ title: 'Oslo &amp; Bergen', description: '', access: 'protected', date: {} }),
    [`${trip}/shared.png`]: shared,
    [`${trip}/shared.png.supplemental-metadata.json`]: pictureJson('shared.png', { description: 'Harbour' }),
    [`${trip}/only here.png`]: newImage(),
    [`${trip}/only here.png.json`]: pictureJson('only here.png', { favorited: true }),
    [`${trip}/both.png`]: inTwoAlbums,
    'Takeout/Google Fotos/挪威 2019/metadata.json': JSON.stringify({ title: '挪威 2019', description: '' }),
    'Takeout/Google Fotos/挪威 2019/both.png': inTwoAlbums,
    'Takeout/Google Fotos/挪威 2019/峡湾.png': newImage(),
    'Takeout/Google Fotos/挪威 2019/峡湾.png.json': pictureJson('峡湾.png', { description: '在挪威' }),
    'Takeout/Google Fotos/Geburtstag/Metadaten.json': JSON.stringify({ title: 'Geburtstag' }),
    'Takeout/Google Fotos/Geburtstag/a.png': newImage(),
    'Takeout/Google Fotos/Geburtstag(1)/Metadaten.json': JSON.stringify({ title: 'Geburtstag' }),
    'Takeout/Google Fotos/Geburtstag(1)/b.png': newImage(),
    'Takeout/Google Fotos/Ohne Titel/Metadaten.json': JSON.stringify({ title: '' }),
    'Takeout/Google Fotos/Ohne Titel/u.png': newImage(),
    'Takeout/Google Fotos/Hochzeit/Metadaten.json': '{"title": "Hoch',
    // What else is there.
    'Takeout/archive_browser.html': '<html>',
    'Takeout/Google Fotos/print-subscriptions.json': '{}',
    'Takeout/Google Fotos/user-generated-memory-titles.json': '{"memories": []}',
    'takeout-20260203T030726Z-1-002.zip': 'PK',
  });
}

export async function writeFiles(home: string, files: Record<string, string | Buffer>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(home, dirname(path)), { recursive: true });
    await writeFile(join(home, path), content);
  }
}
