/** Where a product takes pictures in. */
export interface Form {
  url: string;
  headers: Record<string, string>;
}

/** Uploads a picture as a form; returns what the server responds. */
export async function send({ url, headers }: Form, bytes: Buffer): Promise<unknown> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), 'picture.jpg');
  const response = await fetch(url, { method: 'POST', body: form, headers });
  if (!response.ok) throw new Error(`${url}: ${await response.text()}`);
  return response.json();
}
