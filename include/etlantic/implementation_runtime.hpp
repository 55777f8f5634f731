#pragma once

/// The bodies of columns and runtime; see implementation.hpp.

#include <etlantic/column/block_io.inl.hpp>
#include <etlantic/column/flatten.inl.hpp>
#include <etlantic/column/format_json.inl.hpp>
#include <etlantic/column/gather.inl.hpp>
#include <etlantic/runtime/batch_planner.inl.hpp>
#include <etlantic/runtime/batch_record.inl.hpp>
#include <etlantic/runtime/batch_record_text.inl.hpp>
#include <etlantic/runtime/batch_router.inl.hpp>
#include <etlantic/runtime/batch_runner.inl.hpp>
#include <etlantic/runtime/bound_pipeline.inl.hpp>
#include <etlantic/runtime/checkpoint.inl.hpp>
#include <etlantic/runtime/checkpoint_identity.inl.hpp>
#include <etlantic/runtime/checkpoint_listing.inl.hpp>
#include <etlantic/runtime/checkpoint_lock.inl.hpp>
#include <etlantic/runtime/checkpoint_snapshot.inl.hpp>
#include <etlantic/runtime/decoded_piece.inl.hpp>
#include <etlantic/runtime/durable_file.inl.hpp>
#include <etlantic/runtime/extract_intake.inl.hpp>
#include <etlantic/runtime/join_state.inl.hpp>
#include <etlantic/runtime/joined_rows.inl.hpp>
#include <etlantic/runtime/looked_up_rows.inl.hpp>
#include <etlantic/runtime/parallel_read.inl.hpp>
#include <etlantic/runtime/publication_buffer.inl.hpp>
#include <etlantic/runtime/query.inl.hpp>
#include <etlantic/runtime/query_loop.inl.hpp>
#include <etlantic/runtime/recovery.inl.hpp>
#include <etlantic/runtime/reference_content.inl.hpp>
#include <etlantic/runtime/references.inl.hpp>
#include <etlantic/runtime/rejected_output.inl.hpp>
#include <etlantic/runtime/result_check.inl.hpp>
#include <etlantic/runtime/result_failure.inl.hpp>
#include <etlantic/runtime/target_check.inl.hpp>
#include <etlantic/runtime/unusable_reference.inl.hpp>
