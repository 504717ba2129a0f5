import { NumberInput, type NumberInputProps, PasswordInput, type PasswordInputProps, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { MAX_MAX_VIEWS } from '#api/constants.ts';
import type { Visibility } from '#api/images/upload.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { limitsQuery } from '#renderer/service/queries.ts';
import { VisibilityChoice } from './visibility-choice.tsx';

interface VisibilityProps {
  label: string;
  size?: 'xs';
  value: Visibility;
  onChange(value: Visibility): void;
  /** A hint below the choice. */
  children?: ReactNode;
}

/** {@link VisibilityChoice} with its label above it. */
export function VisibilityField({ label, children, ...choice }: VisibilityProps) {
  const id = useId();
  return (
    <div>
      <Text size="sm" fw={600} mb={4} id={id}>
        {label}
      </Text>
      <VisibilityChoice label={id} {...choice} />
      {children}
    </div>
  );
}

/** How many views a picture allows, within the limits of the user's group. */
export function ViewLimitField(props: NumberInputProps) {
  const { t } = useTranslation();
  const { data: limits } = useQuery(limitsQuery);
  return (
    <NumberInput
      label={t('library.viewLimit')}
      placeholder={t('library.unlimited')}
      min={0}
      max={limits?.max_max_views || MAX_MAX_VIEWS}
      clampBehavior="strict"
      allowDecimal={false}
      {...props}
    />
  );
}

/** The password of a picture or an album. */
export function AccessPasswordField(props: PasswordInputProps) {
  const { t } = useTranslation();
  return (
    <PasswordInput
      label={t('library.password')}
      visibilityToggleButtonProps={{ 'aria-label': t('auth.show') }}
      autoComplete="new-password"
      maxLength={1024}
      {...props}
    />
  );
}
