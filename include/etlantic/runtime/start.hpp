#pragma once
#include <etlantic/runtime/correction.hpp>
#include <etlantic/runtime/lower.hpp>
#include <etlantic/runtime/lower_bare.hpp>
#include <etlantic/runtime/query.hpp>

#include <utility>

namespace etlantic {

/// Starts a pipeline, written as a struct or as a chain, whose parameters may differ from their defaults.
template <class Pipeline>
result<query> start(const Pipeline& pipeline, profile where, query::listener on_batch = {}) {
  result<program> lowered = lower(pipeline);
  if (!lowered) return std::move(lowered.error());
  return start_program(std::move(*lowered), std::move(where), std::move(on_batch));
}

/// Starts a pipeline on a thread of its own: `auto query = start<CustomerOrders>(profile);`.
template <class Pipeline>
result<query> start(profile where, query::listener on_batch = {}) {
  return start(Pipeline{}, std::move(where), std::move(on_batch));
}

/// The same with listeners, or a clock of the caller's.
template <class Pipeline>
result<query> start(const Pipeline& pipeline, profile where, query_environment environment) {
  result<program> lowered = lower(pipeline);
  if (!lowered) return std::move(lowered.error());
  return start_program(std::move(*lowered), std::move(where), {}, std::move(environment));
}

/// Runs a pipeline until its trigger is done and gives what it did: `run(from<Trade>("trades") | ..., profile)`.
template <class Pipeline>
result<progress> run(const Pipeline& pipeline, profile where) {
  result<query> running = start(pipeline, std::move(where));
  if (!running) return std::move(running.error());
  running->await();
  if (result<void> outcome = running->outcome(); !outcome) return std::move(outcome.error());
  return running->totals();
}

/// Computes the windows again that late rows have missed: `correct<CustomerOrders>(profile)`.
template <class Pipeline>
result<correction> correct(const Pipeline& pipeline, profile where) {
  result<program> lowered = lower(pipeline);
  if (!lowered) return std::move(lowered.error());
  return correct_program(std::move(*lowered), std::move(where));
}
template <class Pipeline>
result<correction> correct(profile where) {
  return correct(Pipeline{}, std::move(where));
}

}  // namespace etlantic
