import { ActionIcon } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import classes from './gallery.module.css';

/** Leads from a gallery to the page above it. */
export function BackLink({ to, label }: { to: string; label: string }) {
  return (
    <ActionIcon component={Link} to={to} variant="subtle" color="gray" size="lg" aria-label={label} className={classes.lead}>
      <IconArrowLeft size={20} />
    </ActionIcon>
  );
}
