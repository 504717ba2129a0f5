import { Button, Group, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CopyButton } from '#renderer/components/copying/copy-button.tsx';
import { ShownOnce } from '#renderer/components/shown-once.tsx';
import classes from '#renderer/features/settings/settings.module.css';
import { useTranslation } from '#renderer/i18n/t.ts';
import { configQuery } from '#renderer/service/queries.ts';
import type { NewToken } from './tokens.ts';

/** Shows a new token, with the settings that other programs need to use it. */
export function TokenSecret({ created, onClose }: { created: NewToken | undefined; onClose: () => void }) {
  const { t } = useTranslation();
  const { data: config } = useQuery(configQuery);
  if (!created) return null;
  return (
    <ShownOnce
      title={t('tokens.secretTitle')}
      text={t('tokens.secretText')}
      secret={created.token}
      label={t('links.copyAs', { format: t('tokens.secretLabel') })}
      done={t('tokens.stored')}
      onClose={onClose}
    >
      {created.scope !== 'metrics' && (
        <>
          <Text component="h3" fw={600} size="sm" mt="xl" mb={4}>
            {t('tokens.snippets')}
          </Text>
          <Snippets base={config?.base_url ?? location.origin} token={created.token} />
        </>
      )}
    </ShownOnce>
  );
}

function Snippets({ base, token }: { base: string; token: string }) {
  const { t } = useTranslation();
  return (
    <Tabs defaultValue="pixdock">
      <Tabs.List>
        {SNIPPETS.map(({ id, name }) => (
          <Tabs.Tab key={id} value={id}>
            {t(name)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {SNIPPETS.map(({ id, name, hint, file, write }) => {
        const text = write(base, token);
        return (
          <Tabs.Panel key={id} value={id} pt="sm">
            <Group justify="space-between" wrap="nowrap">
              <Text size="sm" c="dimmed">
                {t(hint)}
              </Text>
              <CopyButton text={text} label={t('links.copyAs', { format: t(name) })} />
            </Group>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: text that scrolls must be reachable by keyboard */}
            <pre className={classes.snippet} tabIndex={0}>
              {text}
            </pre>
            {file && (
              <Button
                component="a"
                variant="default"
                size="xs"
                mt="xs"
                download={file}
                href={`data:application/json;charset=utf-8,${encodeURIComponent(text)}`}
              >
                {t('tokens.saveFile', { file })}
              </Button>
            )}
          </Tabs.Panel>
        );
      })}
    </Tabs>
  );
}

/** Settings for other programs, ready to paste. `base` is the link address without a trailing slash. */
interface Snippet {
  id: 'pixdock' | 'curl' | 'picgo' | 'sharex';
  name: 'tokens.snippetPixdock' | 'tokens.snippetCurl' | 'tokens.snippetPicgo' | 'tokens.snippetSharex';
  hint: 'tokens.snippetHintPixdock' | 'tokens.snippetHintCurl' | 'tokens.snippetHintPicgo' | 'tokens.snippetHintSharex';
  /** The file's name, for programs that open one. */
  file?: string;
  write(base: string, token: string): string;
}

const endpoint = (base: string) => `${base}/api/v1/upload`;
const json = (value: unknown) => JSON.stringify(value, null, 2);

const SNIPPETS: readonly Snippet[] = [
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
