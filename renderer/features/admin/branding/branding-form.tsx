import { Button, FileButton, Group, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { accentCss, COLOR } from '#api/accent.ts';
import type { Branding } from '#api/branding.ts';
import type { getConfig } from '#api/config.ts';
import { MAX_LOGO_BYTES } from '#api/constants.ts';
import type { RouteData } from '#api/contract.ts';
import { acceptedFor, labelsOf } from '#api/formats.ts';
import { plateOf } from '#api/plate.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { LocalRefusal } from '#renderer/service/explain.ts';
import { useFieldError } from '#renderer/service/field-error.ts';
import { configQuery } from '#renderer/service/queries.ts';
import { Part } from '../page.tsx';
import { SaveForm } from '../save-form.tsx';
import { useChange } from '../use-change.ts';
import classes from './branding.module.css';
import { Preview } from './preview.tsx';

/** Pixdock's own colour, where a picker starts. */
const DEFAULT_COLOR = '#125d69';

interface Changes {
  /** Null: the default. */
  logo?: File | null;
  accent_color?: string | null;
}

/** Saves all changes in one request, so that none is saved alone. */
async function save({ logo, accent_color }: Changes): Promise<Branding> {
  if (!logo) return client.call('PATCH /admin/settings', { body: { logo, accent_color } });
  if (logo.size > MAX_LOGO_BYTES) throw new LocalRefusal({ code: 'file_too_large', max_bytes: MAX_LOGO_BYTES });
  const form = new FormData();
  form.append('file', logo);
  if (accent_color !== undefined) form.append('accent_color', accent_color ?? '');
  return client.send('PUT /admin/branding/logo', form);
}

/** A colour as it is stored, from what someone has typed or pasted. */
function toColor(text: string): string {
  const digits = text.trim().toLowerCase().replace(/^#/, '');
  return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`;
}

/** The logo and the accent colour, with a preview of both before they are saved. */
export function BrandingForm({ saved }: { saved: RouteData<typeof getConfig> }) {
  const { t } = useTranslation('admin');
  const { t: general } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const [text, setText] = useState(saved.accent_color ?? '');
  const [file, setFile] = useState<File | null>();
  const chosen = useChosenLogo(file ?? undefined);
  const reset = ({ accent_color }: Branding) => {
    setText(accent_color ?? '');
    setFile(undefined);
  };
  const change = useChange(save, {
    stale: ['settings', 'audit'],
    done: () => t('branding.saved'),
    after: ({ accent_color, logo }) => {
      const branding = { accent_color, logo };
      queryClient.setQueryData(configQuery.queryKey, (config) => config && { ...config, ...branding });
      showBranding(branding);
      reset(branding);
    },
    quiet: true,
  });
  const fault = useFieldError(change.error);
  const color = text.trim() === '' ? null : toColor(text);
  const isColor = color === null || COLOR.test(color);
  const changes: Changes = {
    ...(file !== undefined && (file !== null || saved.logo !== null) && { logo: file }),
    ...(color !== saved.accent_color && { accent_color: color }),
  };
  const logo = file === undefined ? saved.logo : file && chosen;
  return (
    <SaveForm changes={changes} invalid={!isColor} change={change} onReset={() => reset(saved)}>
      <Part title={t('branding.logo')} hint={t('branding.logoHint', { formats: format.choice(labelsOf('logo')) })}>
        <Group gap="xs">
          <FileButton accept={acceptedFor('logo')} onChange={(picked) => picked && setFile(picked)}>
            {(props) => (
              <Button {...props} variant="default">
                {t(logo ? 'branding.replace' : 'branding.choose')}
              </Button>
            )}
          </FileButton>
          {(logo || file) && (
            <Button variant="default" onClick={() => setFile(null)}>
              {t('branding.remove')}
            </Button>
          )}
        </Group>
        <Text size="sm" role="status" className={classes.chosen}>
          {file && t('branding.chosen', { name: file.name })}
        </Text>
      </Part>
      <Part title={t('branding.accent')} hint={t('branding.accentHint')}>
        <Group gap="xs" align="flex-end">
          <TextInput
            className={classes.color}
            label={t('branding.color')}
            placeholder={DEFAULT_COLOR}
            maxLength={20}
            autoComplete="off"
            spellCheck={false}
            value={text}
            error={isColor ? fault('accent_color') : general('problems.not_color')}
            onChange={(event) => setText(event.currentTarget.value)}
            leftSection={
              <input
                type="color"
                className={classes.picker}
                aria-label={t('branding.pick')}
                title={t('branding.pick')}
                value={color !== null && isColor ? color : DEFAULT_COLOR}
                onChange={(event) => setText(event.currentTarget.value)}
              />
            }
          />
          {color !== null && (
            <Button variant="default" onClick={() => setText('')}>
              {t('branding.useDefault')}
            </Button>
          )}
        </Group>
      </Part>
      <Part title={t('branding.preview')} hint={t('branding.previewHint')}>
        <Preview name={saved.site_name} logo={logo ?? null} color={isColor ? color : null} />
      </Part>
    </SaveForm>
  );
}

type Logo = Branding['logo'];

/** As large as what the service compares with the page. */
const SAMPLE_SIDE = 64;
/** For a drawing that names no size. */
const UNKNOWN_SIDE = 300;

/** What a file will look like as the logo; undefined until it is read, null if the browser can't show it. */
function useChosenLogo(file: File | undefined): Logo | undefined {
  const [logo, setLogo] = useState<Logo>();
  useEffect(() => {
    if (!file) return;
    const url = URL.createObjectURL(file);
    let isCurrent = true;
    const show = (found: Logo) => isCurrent && setLogo(found);
    read(url).then(show, () => show(null));
    return () => {
      isCurrent = false;
      setLogo(undefined);
      URL.revokeObjectURL(url);
    };
  }, [file]);
  return logo;
}

async function read(url: string): Promise<Logo> {
  const image = new Image();
  image.src = url;
  await image.decode();
  const { naturalWidth: width = UNKNOWN_SIDE, naturalHeight: height = UNKNOWN_SIDE } = image;
  const scale = SAMPLE_SIDE / Math.max(width, height);
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = canvas.getContext('2d');
  context?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const pixels = context?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
  return { url, width: width || UNKNOWN_SIDE, height: height || UNKNOWN_SIDE, plate: plateOf(pixels) };
}

/** Changes the colours and the icon of this page to what the service puts into the next one. */
function showBranding({ accent_color, logo }: Branding): void {
  let style = document.getElementById('pixdock-accent');
  if (!style) {
    style = document.createElement('style');
    style.id = 'pixdock-accent';
    document.head.append(style);
  }
  style.textContent = accent_color ? accentCss(accent_color) : '';
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (!icon) return;
  icon.type = logo ? 'image/png' : 'image/svg+xml';
  icon.href = logo ? logo.url.replace('/branding/logo', '/branding/icon') : '/favicon.svg';
}
