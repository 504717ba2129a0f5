/** Settings for other programs, ready to paste. `base` is the link address without a trailing slash. */
export interface Snippet {
  id: 'pixdock' | 'curl' | 'picgo' | 'sharex';
  name: 'tokens.snippetPixdock' | 'tokens.snippetCurl' | 'tokens.snippetPicgo' | 'tokens.snippetSharex';
  hint: 'tokens.snippetHintPixdock' | 'tokens.snippetHintCurl' | 'tokens.snippetHintPicgo' | 'tokens.snippetHintSharex';
  /** The file's name, for programs that open one. */
  file?: string;
  write(base: string, token: string): string;
}

const endpoint = (base: string) => `${base}/api/v1/upload`;
const json = (value: unknown) => JSON.stringify(value, null, 2);

export const SNIPPETS: readonly Snippet[] = [
  {
    id: 'pixdock',
    name: 'tokens.snippetPixdock',
    hint: 'tokens.snippetHintPixdock',
    write: (base, token) => `echo ${token} | pixdock login ${base}`,
  },
  {
    id: 'curl',
    name: 'tokens.snippetCurl',
    hint: 'tokens.snippetHintCurl',
    write: (base, token) => `curl -F file=@photo.jpg \\\n  -H "Authorization: Bearer ${token}" \\\n  ${endpoint(base)}`,
  },
  {
    id: 'picgo',
    name: 'tokens.snippetPicgo',
    hint: 'tokens.snippetHintPicgo',
    write: (base, token) =>
      json({
        picBed: {
          uploader: 'web-uploader',
          current: 'web-uploader',
          'web-uploader': {
            url: endpoint(base),
            paramName: 'file',
            jsonPath: 'data.links.url',
            customHeader: JSON.stringify({ Authorization: `Bearer ${token}` }),
            customBody: '',
          },
        },
        picgoPlugins: { 'picgo-plugin-web-uploader': true },
      }),
  },
  {
    id: 'sharex',
    name: 'tokens.snippetSharex',
    hint: 'tokens.snippetHintSharex',
    file: 'pixdock.sxcu',
    write: (base, token) =>
      json({
        Version: '17.0.0',
        Name: 'Pixdock',
        DestinationType: 'ImageUploader',
        RequestMethod: 'POST',
        RequestURL: endpoint(base),
        Headers: { Authorization: `Bearer ${token}` },
        Body: 'MultipartFormData',
        FileFormName: 'file',
        URL: '{json:data.links.url}',
        ThumbnailURL: '{json:data.links.thumbnail_url}',
        DeletionURL: '{json:data.links.delete_url}',
        ErrorMessage: '{json:message}',
      }),
  },
];
