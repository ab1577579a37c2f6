"""Where rows come from: files, frames, their headers and profiles."""
