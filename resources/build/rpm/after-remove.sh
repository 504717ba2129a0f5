# Runs after updates, too, once the new version is installed: it must not remove anything.
update-desktop-database -q /usr/share/applications 2> /dev/null || true
