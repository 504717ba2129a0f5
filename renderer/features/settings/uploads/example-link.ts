import type { Templated } from '#api/sharing/link-template.ts';

const SAMPLES = [
  { key: 'b7Rk2mQx9LpT', name: 'harbour.jpg', ext: 'jpg', width: 1600, height: 1067 },
  { key: 'x4Wn8sVa1KcD', name: 'plan.png', ext: 'png', width: 1280, height: 720 },
];

/** Two pictures that don't exist, for previews of links. `base`: the start of every link. */
export function sampleImages(base: string): Templated[] {
  return SAMPLES.map(({ ext, ...image }) => {
    const url = `${base}/i/${image.key}.${ext}`;
    const alt = image.name.slice(0, image.name.lastIndexOf('.'));
    const links = {
      url,
      markdown: `![${alt}](${url})`,
      html: `<img src="${url}" alt="${alt}">`,
      bbcode: `[img]${url}[/img]`,
      thumbnail_url: `${base}/t/${image.key}.jpg`,
      share_url: `${base}/s/${image.key}`,
    };
    return { ...image, max_views: 0, links };
  });
}
