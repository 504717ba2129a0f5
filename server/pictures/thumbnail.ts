/** Makes a JPEG whose longer side is at most `width`. */
export async function makeThumbnail(input: string, { width }: { width: number }, output: string): Promise<void> {
  const { default: sharp } = await import('sharp');
  await sharp(input)
    .autoOrient()
    .resize(width, width, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: 'white' })
    .jpeg({ quality: 80 })
    .toFile(output);
}
